"""Encoders of pages and texts as their Python originals compute them, for make_rankings.py.

Every class takes a model folder. Its methods return float32 arrays: a vector, or [tokens, dim].
Images are resized as the cases of each family for `verify` require: Qwen's by torchvision,
ColPali's by Pillow, which rounds a few values of a page differently.
"""

import json
import string
import sys

import numpy
import torch

# torchvision's own operators are built for one build of torch and are not needed for resizing. If they
# do not load, its import only requires that these two exist.
try:
    import torchvision
except (ImportError, RuntimeError):
    for module in [name for name in sys.modules if name.startswith("torchvision")]:
        del sys.modules[module]
    OPERATORS = torch.library.Library("torchvision", "FRAGMENT")
    for operator in ("nms", "qnms"):
        OPERATORS.define(operator + "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    import torchvision  # noqa: F401
import transformers
from safetensors.torch import load_file

KINDS = {"dtype": torch.float32, "attn_implementation": "eager"}
DSE_FRAME = (
    "<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n<|im_start|>user\n{}<|im_end|>\n"
    "<|endoftext|>"
)
DSE_PAGE = "<|vision_start|><|image_pad|><|vision_end|>What is shown in this image?"


def rows_of(tensor):
    return tensor.detach().numpy().astype(numpy.float32)


class Colpali:
    def __init__(self, folder):
        self.model = transformers.ColPaliForRetrieval.from_pretrained(folder, **KINDS).eval()
        self.processor = transformers.ColPaliProcessor.from_pretrained(folder, backend="pil")

    def embed(self, inputs):
        inputs = {key: inputs[key] for key in ("input_ids", "attention_mask", "pixel_values")
                  if key in inputs}  # fmt: skip
        # Without token types this version attends only to earlier tokens, but ColPali was trained
        # to see all.
        types = torch.zeros_like(inputs["input_ids"])
        return rows_of(self.model(**inputs, token_type_ids=types).embeddings[0])

    def page(self, image):
        return self.embed(self.processor(images=[image], return_tensors="pt"))

    def query(self, text):
        return self.embed(self.processor(text=[text], return_tensors="pt"))


class Colqwen2:
    def __init__(self, folder):
        self.model = transformers.ColQwen2ForRetrieval.from_pretrained(folder, **KINDS).eval()
        self.processor = transformers.ColQwen2Processor.from_pretrained(folder)
        self.image_id = self.model.config.vlm_config.image_token_id

    def positions(self, inputs):
        """Returns time, row and column as in training; this version of the library does not compute
        them itself."""
        ids = inputs["input_ids"]
        if "image_grid_thw" not in inputs:
            return torch.arange(ids.shape[1]).expand(3, 1, -1)
        kinds = (ids == self.image_id).int()
        return self.model.vlm.get_rope_index(
            ids, mm_token_type_ids=kinds, image_grid_thw=inputs["image_grid_thw"]
        )[0]

    def embed(self, inputs):
        inputs = {key: value for key, value in inputs.items() if key != "mm_token_type_ids"}
        result = self.model(**inputs, position_ids=self.positions(inputs))
        return rows_of(result.embeddings[0])

    def page(self, image):
        return self.embed(self.processor(images=[image], return_tensors="pt"))

    def query(self, text):
        return self.embed(self.processor(text=[text], return_tensors="pt"))


class DseQwen2:
    def __init__(self, folder):
        kind = transformers.Qwen2VLForConditionalGeneration
        self.model = kind.from_pretrained(folder, **KINDS).eval()
        self.processor = transformers.AutoProcessor.from_pretrained(folder)

    def embed(self, text, images):
        inputs = self.processor(text=[DSE_FRAME.format(text)], images=images, return_tensors="pt")
        self.model.model.rope_deltas = None
        last = self.model.model(**inputs).last_hidden_state[0, -1]
        return rows_of(torch.nn.functional.normalize(last, dim=-1))

    def page(self, image):
        return self.embed(DSE_PAGE, [image])

    def query(self, text):
        return self.embed("Query: " + text, None)


class Sentences:
    """An encoder whose vectors are means over tokens, with unit length."""

    def __init__(self, folder):
        from sentence_transformers import SentenceTransformer

        self.model = SentenceTransformer(str(folder), device="cpu")

    def query(self, text):
        vector = self.model.encode(text, normalize_embeddings=True, convert_to_numpy=True)
        return vector.astype(numpy.float32)

    passage = query


class Colbert:
    """ColBERTv2: BERT and its linear layer, written out here."""

    def __init__(self, folder):
        facts = json.loads((folder / "artifact.metadata").read_text())
        self.lengths = {"query": facts["query_maxlen"], "passage": facts["doc_maxlen"]}
        self.markers = {"query": facts["query_token_id"], "passage": facts["doc_token_id"]}
        self.tokenizer = transformers.PreTrainedTokenizerFast.from_pretrained(folder)
        weights = load_file(folder / "model.safetensors")
        config = transformers.BertConfig.from_pretrained(folder)
        config._attn_implementation = "eager"
        self.bert = transformers.BertModel(config, add_pooling_layer=False).eval()
        state = {name.removeprefix("bert."): value for name, value in weights.items()
                 if name.startswith("bert.")}  # fmt: skip
        self.bert.load_state_dict(state, strict=False)
        self.linear = weights["linear.weight"]
        self.skipped = {self.tokenizer.encode(symbol, add_special_tokens=False)[0]
                        for symbol in string.punctuation}  # fmt: skip

    def ids_of(self, text, role):
        """Returns token ids; a full stop takes the place of the marker."""
        ids = self.tokenizer.encode(". " + text, truncation=True, max_length=self.lengths[role])
        ids[1] = self.tokenizer.convert_tokens_to_ids(self.markers[role])
        return ids

    def embed(self, ids, attended):
        mask = torch.zeros(1, len(ids), dtype=torch.int64)
        mask[0, :attended] = 1
        hidden = self.bert(torch.tensor([ids]), attention_mask=mask).last_hidden_state[0]
        return rows_of(torch.nn.functional.normalize(hidden @ self.linear.T, dim=-1))

    def query(self, text):
        ids = self.ids_of(text, "query")
        mask = self.tokenizer.convert_tokens_to_ids("[MASK]")
        filled = ids + [mask] * (self.lengths["query"] - len(ids))
        return self.embed(filled, len(ids))

    def passage(self, text):
        ids = self.ids_of(text, "passage")
        kept = [at for at, token in enumerate(ids) if token not in self.skipped]
        return self.embed(ids, len(ids))[kept]
