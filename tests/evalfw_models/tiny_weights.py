"""Weights for tests: a small random network over single bytes, in both forms."""

from __future__ import annotations

from pathlib import Path

CHAT_TEMPLATE = (
    "{% for message in messages %}<s>{{ message['role'] }}: {{ message['content'] }}\n{% endfor %}"
    "{% if add_generation_prompt %}<s>assistant: {% endif %}"
)
CONTEXT = 256
START, END = 256, 257

_PRINTED = [*range(33, 127), *range(161, 173), *range(174, 256)]
_OTHERS = [byte for byte in range(256) if byte not in _PRINTED]
# How byte-level tokenizers since GPT-2 write a byte: as itself where it is printed, else as one from 256 on.
_BYTES = [chr(byte) if byte in _PRINTED else chr(256 + _OTHERS.index(byte)) for byte in range(256)]


def save_hugging_face(folder: Path, *, seed: int = 0, chat_template: str | None = CHAT_TEMPLATE) -> Path:
    """A folder as `save_pretrained` writes it.

    Its tokens are bytes, `<s>` and `</s>`. Its answers are noise that never ends by itself soon.
    """
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    vocabulary = {character: token for token, character in enumerate(_BYTES)}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    wrapped = PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>")
    wrapped.chat_template = chat_template
    wrapped.save_pretrained(folder)
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=len(wrapped),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=CONTEXT,
        bos_token_id=wrapped.bos_token_id,
        eos_token_id=wrapped.eos_token_id,
        initializer_range=0.5,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder


def save_gguf(path: Path, *, seed: int = 0, chat_template: str | None = CHAT_TEMPLATE) -> Path:
    """The same kind of network as a GGUF file."""
    import gguf
    import numpy as np

    width, inner, heads, shared, layers = 32, 64, 4, 2, 2
    alphabet = [*_BYTES, "<s>", "</s>"]
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("tiny")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(width)
    writer.add_block_count(layers)
    writer.add_feed_forward_length(inner)
    writer.add_head_count(heads)
    writer.add_head_count_kv(shared)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_rope_dimension_count(width // heads)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(alphabet)
    writer.add_token_types([*[gguf.TokenType.NORMAL] * (len(alphabet) - 2), *[gguf.TokenType.CONTROL] * 2])
    writer.add_token_merges([f"{_BYTES[0]} {_BYTES[1]}"])  # there must be one
    writer.add_bos_token_id(len(alphabet) - 2)
    writer.add_eos_token_id(len(alphabet) - 1)
    if chat_template is not None:
        writer.add_chat_template(chat_template)
    random = np.random.default_rng(seed)
    shapes = {"token_embd": (len(alphabet), width), "output": (len(alphabet), width)}
    for layer in range(layers):
        shapes |= {
            f"blk.{layer}.attn_q": (width, width),
            f"blk.{layer}.attn_k": (width // heads * shared, width),
            f"blk.{layer}.attn_v": (width // heads * shared, width),
            f"blk.{layer}.attn_output": (width, width),
            f"blk.{layer}.ffn_gate": (inner, width),
            f"blk.{layer}.ffn_up": (inner, width),
            f"blk.{layer}.ffn_down": (width, inner),
        }
    for name, shape in shapes.items():
        writer.add_tensor(f"{name}.weight", random.normal(0, 0.5, shape).astype(np.float32))
    for name in ("output_norm", *(f"blk.{i}.{part}_norm" for i in range(layers) for part in ("attn", "ffn"))):
        writer.add_tensor(f"{name}.weight", np.ones(width, np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
