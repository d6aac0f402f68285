/** Characters of the name of an image. */
const IMAGE_NAME_MAX = 255;

/** A reference as Docker writes it: registry, path, tag and digest, or the id of an image. */
const HOST = '(?:[a-zA-Z0-9]+(?:[.-][a-zA-Z0-9]+)*(?::[0-9]{1,5})?/)?';
const STEP = '[a-z0-9]+(?:(?:[.]|_{1,2}|-+)[a-z0-9]+)*';
const TAG = '(?::[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127})?';
const DIGEST = '(?:@sha256:[0-9a-f]{64})?';
const IMAGE_NAME = new RegExp(`^${HOST}${STEP}(?:/${STEP})*${TAG}${DIGEST}$`);

/** Whether a text names an image and nothing else: it becomes a part of the path of a request. */
export function isImageName(text: string): boolean {
  return text.length <= IMAGE_NAME_MAX && (IMAGE_NAME.test(text) || /^sha256:[0-9a-f]{64}$/.test(text));
}
