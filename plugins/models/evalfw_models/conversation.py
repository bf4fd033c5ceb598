"""Options that say how a problem is put to weights that run in process."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from evalfw import Options


class ConversationOptions(Options):
    """The options `mode` and `system`."""

    mode: Literal["chat", "completion"] = Field(
        default="chat",
        description="`chat`: the prompt is a message of the user, put into the chat template that comes with the "
        "weights. `completion`: the prompt goes in as it is, for base models.",
    )
    system: str | None = Field(
        default=None, description="System message before the prompt. Default: none, or what the template puts there."
    )

    @model_validator(mode="after")
    def _system_is_for_chats(self) -> Self:
        if self.mode == "completion" and self.system is not None:
            raise ValueError("'system' is for `mode: chat`; in `mode: completion` the prompt goes in as it is")
        return self

    def messages(self, prompt: str) -> list[dict[str, str]]:
        """The conversation so far, as chat templates take it."""
        system = [] if self.system is None else [{"role": "system", "content": self.system}]
        return [*system, {"role": "user", "content": prompt}]
