/** Whether a browser window could be seen by whoever started this. */
export function hasDisplay(environment: NodeJS.ProcessEnv = process.env): boolean {
  if (process.platform === 'linux') return Boolean(environment['DISPLAY'] || environment['WAYLAND_DISPLAY']);
  return environment['SSH_CONNECTION'] === undefined;
}

/** Opens the system's browser. Resolves to the reason when that cannot be, to null otherwise. */
export async function openBrowser(address: string): Promise<string | null> {
  try {
    const { default: open } = await import('open');
    await open(address);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
