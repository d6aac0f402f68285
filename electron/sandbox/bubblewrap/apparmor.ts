import { resourcePath } from '../../resource-path.ts';

/** Where the AppArmor profile lies; a path relative to the project's folder when it is not installed. */
export function apparmorProfilePath(): string {
  return resourcePath('apparmor/bwrap-userns-restrict') ?? 'resources/apparmor/bwrap-userns-restrict';
}
