from __future__ import annotations

import pytest
from pydantic import ValidationError

from evalfw_models.conversation import ConversationOptions


def test_the_prompt_is_what_the_user_says() -> None:
    assert ConversationOptions().messages("Hi") == [{"role": "user", "content": "Hi"}]


def test_a_system_message_comes_first() -> None:
    options = ConversationOptions(system="Be short.")
    assert [message["role"] for message in options.messages("Hi")] == ["system", "user"]
    assert options.messages("Hi")[0]["content"] == "Be short."


def test_a_system_message_is_for_chats() -> None:
    with pytest.raises(ValidationError, match="'system' is for `mode: chat`"):
        ConversationOptions(mode="completion", system="Be short.")
