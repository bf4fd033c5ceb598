"""Model `llama_cpp`: a GGUF file, in process, with llama-cpp-python."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from evalfw import OPERATIONAL, Completion, File, InputError, Model, Request, Usage
from evalfw_models.conversation import ConversationOptions
from evalfw_models.stops import cut, stopped
from evalfw_models.weights import digest, weights_file

if TYPE_CHECKING:
    from llama_cpp import Llama

# llama.cpp would otherwise cut off unlikely tokens (top_k 40, min_p 0.05), whatever the temperature.
_WHOLE_DISTRIBUTION: Mapping[str, float] = {"top_k": 0, "min_p": 0.0, "typical_p": 1.0, "repeat_penalty": 1.0}

_RANDOM_SEED = 0xFFFFFFFF
"""The one seed of 32 bits that llama.cpp takes for "any"."""


class LlamaCppOptions(ConversationOptions):
    """Options of `llama_cpp`."""

    path: Annotated[File, OPERATIONAL] = Field(description="GGUF file with the weights.")
    context: int = Field(default=4096, ge=2, description="Most tokens of prompt and answer together.")
    gpu_layers: int = Field(
        default=0,
        ge=-1,
        description="Layers that a GPU computes, where llama-cpp-python was built for one; -1 for all.",
    )
    threads: Annotated[int | None, OPERATIONAL] = Field(
        default=None, ge=1, description="Threads that compute. Default: the number of usable CPUs."
    )


class LlamaCpp(Model[LlamaCppOptions]):
    """Answers of a GGUF file that is loaded into this process, one at a time.

    A sample depends on the weights, the prompt, the settings and its seed, not on what was asked before it. The
    weights are loaded with the first request. A prompt that leaves no room in the context is not answered.

    Raises:
        InputError: The file is missing or of another kind.
    """

    free = True

    def __init__(self, options: LlamaCppOptions, base: Path = Path()) -> None:
        super().__init__(options, base)
        self._path = weights_file(base / options.path, b"GGUF")
        self._evaluated: list[int] = []

    @property
    def label(self) -> str:
        """Name of the file, without its ending."""
        return self._path.stem

    def depends_on(self, request: Request) -> str:
        """Digest of the weights, so that other weights under the same path are asked anew."""
        return self._digest

    def complete(self, requests: Iterable[Request]) -> Iterator[Completion]:
        """An answer a request, in their order."""
        for request in requests:
            tokens = self._tokens(request.prompt)
            if len(tokens) < self.options.context:
                yield self._answer(request, tokens)
            else:
                self._note_no_room(request, len(tokens))

    def _note_no_room(self, request: Request, tokens: int) -> None:
        note = (
            f"the prompt of {request.problem.id!r} has {tokens} tokens, which leaves no room for an answer: "
            f"`context` is {self.options.context}"
        )
        if note not in self.notes:
            self.notes.append(note)

    def _answer(self, request: Request, tokens: list[int]) -> Completion:
        room = self.options.context - len(tokens)
        temperature = 1.0 if request.temperature is None else request.temperature
        sampling = {**_WHOLE_DISTRIBUTION, "top_p": 1.0 if request.top_p is None else request.top_p}
        most = room if request.max_tokens is None else min(room, request.max_tokens)
        seed = request.seed % _RANDOM_SEED
        started = perf_counter()
        self._evaluate(tokens)
        self._llama.set_seed(seed)
        drawn = islice(self._llama.generate(tokens, temp=temperature, **sampling), most)
        answer, finish_reason = self._sample(drawn, request.stop)
        return Completion(
            request,
            cut(self._text(answer), request.stop),
            finish_reason,
            usage=Usage(len(tokens), len(answer)),
            seconds=perf_counter() - started,
            served_by=self._llama.metadata.get("general.name", self._path.name),
            fingerprint=f"{self._library}, {self._digest}",
            sent={
                "mode": self.options.mode,
                "system": self.options.system,
                "temperature": temperature,
                "max_tokens": most,
                "stop": list(request.stop),
                "seed": seed,
                **sampling,
            },
        )

    def _sample(self, tokens: Iterable[int], stop: Sequence[str]) -> tuple[list[int], str]:
        """Tokens up to one that ends the answer or to a text that does, and why it ended."""
        answer: list[int] = []
        for token in tokens:
            if self._is_end(token):
                return answer, "stop"
            answer.append(token)
            if stopped(answer, stop, self._text):
                return answer, "stop"
        return answer, "length"

    def _text(self, answer: Sequence[int]) -> str:
        text: str = self._llama.detokenize(answer).decode(errors="replace")
        return text

    def _is_end(self, token: int) -> bool:
        import llama_cpp

        vocabulary = llama_cpp.llama_model_get_vocab(self._llama.model)
        return bool(llama_cpp.llama_vocab_is_eog(vocabulary, token))

    def _evaluate(self, tokens: list[int]) -> None:
        """Have the prompt but for its last token in the cache, computed in one go.

        llama.cpp goes on from what the last prompt has in common with this one. Computed in other portions, the same
        numbers are rounded otherwise, so that an answer would depend on what was asked before it.
        """
        if tokens != self._evaluated:
            self._llama.reset()
            if len(tokens) > 1:
                self._llama.eval(tokens[:-1])
            self._evaluated = tokens

    def _tokens(self, prompt: str) -> list[int]:
        chat = self.options.mode == "chat"
        text = self._formatted(prompt) if chat else prompt
        # No tokenizer knows halves of surrogate pairs. A template writes the beginning of the sequence itself.
        tokens: list[int] = self._llama.tokenize(text.encode(errors="replace"), add_bos=not chat, special=True)
        return tokens

    def _formatted(self, prompt: str) -> str:
        from llama_cpp.llama_chat_format import Jinja2ChatFormatter

        template = self._llama.metadata.get("tokenizer.chat_template")
        if template is None:
            raise InputError(f"{self._path}: there is no chat template in it; say `mode: completion`")
        eos, bos = (
            self._llama.detokenize([token], special=True).decode()
            for token in (self._llama.token_eos(), self._llama.token_bos())
        )
        try:
            text: str = Jinja2ChatFormatter(template, eos, bos)(messages=self.options.messages(prompt)).prompt
        except Exception as error:  # a template is a program: it may raise anything
            raise InputError(f"{self._path}: its chat template refuses the messages: {error}") from error
        return text

    @cached_property
    def _digest(self) -> str:
        return digest(self._path)

    @cached_property
    def _library(self) -> str:
        import llama_cpp

        return f"llama-cpp-python {llama_cpp.__version__}"

    @cached_property
    def _llama(self) -> Llama:
        try:
            from llama_cpp import Llama
        except ImportError as error:
            raise InputError(
                "model 'llama_cpp' needs llama-cpp-python, which is not installed: pip install 'evalfw[llama_cpp]'"
            ) from error
        threads = self.options.threads or len(os.sched_getaffinity(0))
        try:
            llama = Llama(
                str(self._path),
                n_ctx=self.options.context,
                n_gpu_layers=self.options.gpu_layers,
                n_threads=threads,
                n_threads_batch=threads,
                verbose=False,
            )
        except ValueError as error:
            raise InputError(f"{self._path}: llama.cpp cannot use it: {error}") from error
        longest = llama.metadata.get(f"{llama.metadata.get('general.architecture')}.context_length")
        if longest is not None and self.options.context > int(longest):
            raise InputError(
                f"{self._path}: these weights are made for at most {longest} tokens, "
                f"and `context` is {self.options.context}"
            )
        return llama
