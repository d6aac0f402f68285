/**
 * What `promise` resolves with, or what `late` gives when `ms` milliseconds have passed or it rejected: a wait that
 * always ends. The promise itself goes on.
 */
export function withDeadline<T>(promise: Promise<T>, ms: number, late: (reason: unknown) => T): Promise<T> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(late(`nothing came within ${ms} ms`)), ms);
    promise
      .catch((reason: unknown) => late(reason))
      .then((value) => {
        clearTimeout(timer);
        resolve(value);
      });
  });
}
