"""Models that Ollama serves, through its own API instead of OpenAI's."""

from __future__ import annotations

import json
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request as Post
from urllib.request import urlopen

from pydantic import Field

from evalfw import Completion, Json, Outage, RemoteModel, RemoteOptions, Request, Usage, http_failure


class OllamaOptions(RemoteOptions):
    """Options, beside those that every model behind an API has."""

    model: str = Field(description="Name of the model, such as `qwen2.5-coder:7b`.")
    url: str = Field(default="http://localhost:11434", description="Where Ollama listens.")


class Ollama(RemoteModel[OllamaOptions]):
    """Models that Ollama serves."""

    def answer(self, request: Request) -> Completion:
        """Send one request and read its answer."""
        options: dict[str, Json] = {"temperature": request.temperature, "seed": request.seed % 2**31}
        options |= {"num_predict": request.max_tokens or -1, "top_p": request.top_p or 1, "stop": request.stop}
        sent: dict[str, Json] = {"model": self.options.model, "options": options}
        body = json.dumps({**sent, "prompt": request.prompt, "stream": False}).encode()
        post = Post(f"{self.options.url}/api/generate", body, {"Content-Type": "application/json"})
        try:
            with urlopen(post, timeout=self.options.timeout) as response:
                found = json.load(response)
        except HTTPError as error:
            raise http_failure(error.code, error.read().decode(errors="replace"), dict(error.headers)) from error
        except (OSError, HTTPException, ValueError) as error:
            raise Outage("no answer") from error
        usage = Usage(found.get("prompt_eval_count"), found.get("eval_count"))
        return Completion(request, found["response"], found["done_reason"], usage=usage, sent=sent)
