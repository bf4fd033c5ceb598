"""Model `transformers`: weights in the form of Hugging Face, in process, with PyTorch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from evalfw import OPERATIONAL, Completion, File, InputError, Json, Model, Request, RunError, Usage
from evalfw_models.conversation import ConversationOptions
from evalfw_models.rows import Draw, Ended, Row
from evalfw_models.stops import cut
from evalfw_models.weights import digest, weights_folder

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


class TransformersOptions(ConversationOptions):
    """Options of `transformers`."""

    path: Annotated[File | None, OPERATIONAL] = Field(
        default=None, description="Folder with weights, configuration and tokenizer, as `save_pretrained` writes it."
    )
    hub: Annotated[str, Field(min_length=1)] | None = Field(
        default=None, description="Weights on the Hugging Face hub, `owner/name`, instead of `path`."
    )
    revision: str | None = Field(
        default=None, description="Commit, tag or branch on the hub; the newest by default. A commit is exact."
    )
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = Field(
        default="auto", description="Type of the numbers computed with. `auto`: as the weights are stored."
    )
    device: Annotated[str, OPERATIONAL] = Field(
        default="auto", description="Such as `cpu` or `cuda:1`. `auto`: `cuda` where there is one, else `cpu`."
    )
    batch_size: Annotated[int, OPERATIONAL] = Field(default=1, ge=1, description="Answers that are computed together.")

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if (self.path is None) == (self.hub is None):
            raise ValueError("one of 'path' (a folder) and 'hub' (owner/name) is needed, and not both")
        if self.hub is None and self.revision is not None:
            raise ValueError("'revision' is for 'hub'; it cannot be given together with 'path'")
        return self


class _Loaded(NamedTuple):
    """What is loaded, and the tokens that end an answer."""

    tokenizer: PreTrainedTokenizerBase
    network: PreTrainedModel
    ends: frozenset[int]


class Transformers(Model[TransformersOptions]):
    """Answers of weights that are loaded into this process, `batch_size` at a time.

    Every answer is drawn from a generator of its own. The weights are loaded with the first request. A prompt that
    leaves no room for an answer is not answered.

    Raises:
        InputError: The folder is missing or is none with weights.
    """

    free = True

    def __init__(self, options: TransformersOptions, base: Path = Path()) -> None:
        super().__init__(options, base)
        self._folder = None if options.path is None else weights_folder(base / options.path, "config.json")
        self._source = str(options.hub if self._folder is None else self._folder)

    @property
    def label(self) -> str:
        """Name of the folder, or of the weights on the hub without their owner."""
        return Path(self._source).name if self._folder is None else self._folder.resolve().name

    def depends_on(self, request: Request) -> str:
        """Digest of the folder, so that other weights at its path are asked anew; nothing for weights on the hub."""
        return self._digest

    def complete(self, requests: Iterable[Request]) -> Iterator[Completion]:
        """Answers, batch by batch, in the order of the requests."""
        remaining = iter(requests)
        while batch := list(islice(remaining, self.options.batch_size)):
            rows = [row for request in batch if (row := self._row(request)) is not None]
            if rows:
                yield from self._answers(rows)

    def _row(self, request: Request) -> Row | None:
        prompt = self._tokens(request.prompt)
        limits = [] if self._context is None else [self._context - len(prompt)]
        limits += [] if request.max_tokens is None else [request.max_tokens]
        if not limits:
            raise InputError(
                f"{self._source}: its configuration does not say how long a text may be; "
                "say how long an answer may be: `sampling: {max_tokens: N}`"
            )
        if min(limits) >= 1:
            return Row(request, prompt, min(limits))
        note = (
            f"the prompt of {request.problem.id!r} has {len(prompt)} tokens, which leaves no room for an answer: "
            f"{self._source} is made for {self._context}"
        )
        if note not in self.notes:
            self.notes.append(note)
        return None

    def _answers(self, rows: Sequence[Row]) -> Iterator[Completion]:
        import torch

        started = perf_counter()
        try:
            self._generate(rows)
        except torch.OutOfMemoryError as error:
            raise RunError(
                f"{self._source}: not enough memory for {len(rows)} answers at once: {error}\n"
                "What was answered before is kept. Run again with a smaller `batch_size`."
            ) from error
        seconds = perf_counter() - started
        for row in rows:
            text = self._text(row.prompt + row.answer)[len(self._text(row.prompt)) :]
            yield Completion(
                row.request,
                cut(text, row.request.stop),
                row.finish_reason or "length",
                usage=Usage(len(row.prompt), len(row.answer)),
                seconds=seconds,
                served_by=self._source,
                fingerprint=self._fingerprint,
                sent=self._sent(row, len(rows)),
            )

    def _sent(self, row: Row, batch: int) -> dict[str, Json]:
        return {
            "mode": self.options.mode,
            "system": self.options.system,
            "temperature": row.temperature,
            "top_p": row.top_p,
            "max_tokens": row.most,
            "stop": list(row.request.stop),
            "seed": row.request.seed,
            "dtype": str(self._loaded.network.dtype),
            "device": str(self._loaded.network.device),
            "batch": batch,
        }

    def _generate(self, rows: Sequence[Row]) -> None:
        """Continue all prompts, padded on the left, until every row is at its end."""
        import torch
        from transformers import LogitsProcessorList, StoppingCriteriaList

        width = max(len(row.prompt) for row in rows)
        padding = [width - len(row.prompt) for row in rows]
        tokens = [[0] * pad + row.prompt for pad, row in zip(padding, rows, strict=True)]
        mask = [[0] * pad + [1] * (width - pad) for pad in padding]
        with torch.inference_mode():
            self._loaded.network.generate(
                input_ids=torch.tensor(tokens, device=self._loaded.network.device),
                attention_mask=torch.tensor(mask, device=self._loaded.network.device),
                max_new_tokens=max(row.most for row in rows),
                logits_processor=LogitsProcessorList([Draw(rows)]),
                stopping_criteria=StoppingCriteriaList([Ended(rows, self._loaded.ends, self._text)]),
            )

    def _tokens(self, prompt: str) -> list[int]:
        chat = self.options.mode == "chat"
        # No tokenizer knows halves of surrogate pairs. A template writes the beginning of the sequence itself.
        text = (self._formatted(prompt) if chat else prompt).encode(errors="replace").decode()
        tokens: list[int] = self._loaded.tokenizer(text, add_special_tokens=not chat)["input_ids"]
        return tokens

    def _formatted(self, prompt: str) -> str:
        if self._loaded.tokenizer.chat_template is None:
            raise InputError(f"{self._source}: its tokenizer has no chat template; say `mode: completion`")
        messages = self.options.messages(prompt)
        try:
            text: str = self._loaded.tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        except Exception as error:  # a template is a program: it may raise anything
            raise InputError(f"{self._source}: its chat template refuses the messages: {error}") from error
        return text

    def _text(self, tokens: Sequence[int]) -> str:
        text: str = self._loaded.tokenizer.decode(tokens, skip_special_tokens=True, clean_up_tokenization_spaces=False)
        return text

    @cached_property
    def _digest(self) -> str:
        return "" if self._folder is None else digest(self._folder)

    @cached_property
    def _fingerprint(self) -> str:
        import torch
        import transformers

        weights = self._digest or f"commit {self._loaded.network.config._commit_hash}"
        return f"transformers {transformers.__version__}, torch {torch.__version__}, {weights}"

    @cached_property
    def _context(self) -> int | None:
        found: int | None = getattr(self._loaded.network.config.get_text_config(), "max_position_embeddings", None)
        return found

    @cached_property
    def _loaded(self) -> _Loaded:
        try:
            import torch
            import transformers
        except ImportError as error:
            raise InputError(
                "model 'transformers' needs transformers and torch, which are not installed: "
                "pip install 'evalfw[transformers]'"
            ) from error
        transformers.utils.logging.disable_progress_bar()
        device = self.options.device
        if device == "auto":
            device = "cuda" if torch.cuda.is_available() else "cpu"
        at = {} if self.options.revision is None else {"revision": self.options.revision}
        try:
            tokenizer = transformers.AutoTokenizer.from_pretrained(self._source, **at)
            network = transformers.AutoModelForCausalLM.from_pretrained(self._source, dtype=self.options.dtype, **at)
            network.to(device).eval()
        except Exception as error:  # the hub's, the system's, those of torch and of the code of a model: no common base
            raise InputError(f"{self._source}: it cannot be loaded: {type(error).__name__}: {error}") from error
        ends = network.generation_config.eos_token_id
        ends = {*(ends if isinstance(ends, list) else [ends]), tokenizer.eos_token_id} - {None}
        # What the weights recommend for sampling is not what the experiment asks for.
        network.generation_config = transformers.GenerationConfig(pad_token_id=0)
        return _Loaded(tokenizer, network, frozenset(ends))
