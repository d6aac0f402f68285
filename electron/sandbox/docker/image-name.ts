/** Characters of the name of an image. */
const IMAGE_NAME_MAX = 255;

/** A reference as Docker writes it: registry, path, tag and digest, or the id of an image. */
const IMAGE_NAME =
  /^(?:[a-zA-Z0-9.-]+(?::\d{1,5})?\/)?[a-z0-9]+(?:[._/-]+[a-z0-9]+)*(?::[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127})?(?:@sha256:[0-9a-f]{64})?$/;

/** Whether a text names an image and nothing else: it becomes a part of the path of a request. */
export function isImageName(text: string): boolean {
  return text.length <= IMAGE_NAME_MAX && (IMAGE_NAME.test(text) || /^sha256:[0-9a-f]{64}$/.test(text));
}
