import { z } from 'zod';
import { engineKindSchema } from '../terminal/engine-status.ts';
import { FOLDER_TARGETS } from '../terminal/inside.ts';
import {
  attachSettingsSchema,
  containerSettingsSchema,
  microvmSettingsSchema,
  smolvmSettingsSchema,
} from './engine-settings.ts';
import { symbiontAddressProblem } from './symbiont-address.ts';

/**
 * One schema gives the types, the defaults, the validation, the settings page and the JSON schema for editors.
 * `title` and `description` (by `.meta`) are what the settings page shows. Objects are strict: a misspelt bound
 * must be reported, not replaced by its default in silence.
 */
export const SETTINGS_VERSION = 1;

const noControls = (value: string) => !/[\p{Cc}\p{Cf}]/u.test(value);
const line = (max: number) =>
  z.string().max(max).refine(noControls, { message: 'must not contain control or format characters' });
const noNul = { message: 'must not contain a NUL character' };
const path = z
  .string()
  .min(1)
  .max(4095)
  .refine((value) => !value.includes('\0'), noNul);

/** A single visible ASCII character; letters, digits and blanks would make ordinary typing an escape (ST-17). */
export const escapeCharacterSchema = z
  .string()
  .regex(/^[!-/:-@[-`{-~]$/, { message: 'must be one ASCII punctuation character' });

export const sandboxLimitsSchema = z.strictObject({
  memoryMiB: z.number().int().min(16).max(1_048_576).default(1024).meta({
    title: 'Memory',
    description: 'MiB of memory for everything in the sandbox together.',
  }),
  processes: z.number().int().min(8).max(65_536).default(256).meta({
    title: 'Processes',
    description: 'Processes and threads in the sandbox at one time.',
  }),
  openFiles: z.number().int().min(64).max(1_048_576).default(1024).meta({
    title: 'Open files',
    description: 'Open files of each process.',
  }),
  cpuPercent: z.number().int().min(5).max(25_600).default(200).meta({
    title: 'CPU',
    description: 'Percent of one core: 100 is one whole core.',
  }),
  homeMiB: z.number().int().min(1).max(65_536).default(64).meta({
    title: 'Home folder',
    description: 'MiB of the private home folder, kept in memory and gone with the session.',
  }),
  tmpMiB: z.number().int().min(1).max(65_536).default(64).meta({
    title: 'Temporary files',
    description: 'MiB of the private /tmp, kept in memory and gone with the session.',
  }),
});
export type SandboxLimits = z.infer<typeof sandboxLimitsSchema>;

export const profileIdSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, { message: 'must be 1 to 64 of a-z, 0-9 and -, not starting with -' })
  .meta({ title: 'Id' });
const profileName = line(60).min(1).meta({ title: 'Name', description: 'Shown on tabs and in menus.' });

/** What a shell or a governed session is opened with. `kind` may be left out, as older files do. */
export const profileSchema = z.strictObject({
  kind: z.literal('sandbox').optional().default('sandbox').meta({ title: 'Kind' }),
  id: profileIdSchema,
  name: profileName,
  engine: engineKindSchema.default('bubblewrap').meta({ title: 'Engine' }),
  container: containerSettingsSchema.optional().meta({ title: 'Container' }),
  attach: attachSettingsSchema.optional().meta({ title: 'Running container' }),
  smolvm: smolvmSettingsSchema.optional().meta({ title: 'smolvm' }),
  microvm: microvmSettingsSchema.optional().meta({ title: 'Micro-VM' }),
  command: z
    .array(
      z
        .string()
        .max(4095)
        .refine((value) => !value.includes('\0'), noNul),
    )
    .max(64)
    .default(['/bin/bash'])
    .refine((argv) => argv.length > 0 && argv[0] !== '', { message: 'must name a program' })
    .meta({ title: 'Program', description: 'The program inside the sandbox and its arguments.' }),
  network: z.enum(['none', 'host']).default('none').meta({
    title: 'Network',
    description: 'None: nothing but its own loopback. On: everything this machine can reach.',
  }),
  project: path
    .nullable()
    .default(null)
    .meta({
      title: 'Project folder',
      description: `A folder of this machine, read-only at ${FOLDER_TARGETS.project}.`,
    }),
  scratch: path
    .nullable()
    .default(null)
    .meta({
      title: 'Scratch folder',
      description: `A folder of this machine that the sandbox may write, at ${FOLDER_TARGETS.scratch}.`,
    }),
  environment: z
    .record(
      z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, { message: 'must be a variable name' }),
      z
        .string()
        .max(4096)
        .refine((value) => !value.includes('\0'), noNul),
    )
    .default({})
    .meta({ title: 'Environment', description: 'Variables set in the sandbox besides its own few.' }),
  limits: sandboxLimitsSchema.default(() => sandboxLimitsSchema.parse({})).meta({ title: 'Limits' }),
  escapeCharacter: escapeCharacterSchema.nullable().default('~').meta({
    title: 'Escape character',
    description: 'Starts an escape sequence at the start of a line; none switches them off.',
  }),
  clipboardWrite: z.enum(['off', 'ask', 'allow']).default('off').meta({
    title: 'Programs may set the clipboard',
    description: 'OSC 52 writes, in the focused pane only, at most 100 KiB. Reading is never possible.',
  }),
  secondLook: z.boolean().default(false).meta({
    title: 'Second look',
    description:
      'Asks again before a governed session publishes, with the size and digest of the sealed file.',
  }),
  record: z.boolean().default(true).meta({
    title: 'Record',
    description: 'Keeps a transcript of every session. Governed sessions are recorded in any case.',
  }),
  recordInput: z.boolean().default(false).meta({
    title: 'Record what is typed',
    description: 'Typed and pasted input goes into the transcript too, passwords included.',
  }),
  recordMaxMiB: z.number().int().min(1).max(65_536).default(256).meta({
    title: 'Largest transcript',
    description: 'MiB of one transcript; recording then stops, and the pane says so.',
  }),
  keepDays: z.number().int().min(1).max(36_500).nullable().default(null).meta({
    title: 'Keep transcripts',
    description: 'Days; none takes the rule for all profiles.',
  }),
  keepMiB: z.number().int().min(1).max(16_777_216).nullable().default(null).meta({
    title: 'Space for transcripts',
    description:
      'MiB of all transcripts of this profile; the oldest go first. None bounds all profiles together only.',
  }),
});
export type Profile = z.infer<typeof profileSchema>;

/** A running `symbi up` whose held actions are decided here (A11). It opens no shell; its token is kept by the host alone. */
export const symbiontProfileSchema = z.strictObject({
  kind: z.literal('symbiont').meta({ title: 'Kind' }),
  id: profileIdSchema,
  name: profileName.meta({ title: 'Name', description: 'Shown in menus, and with every request.' }),
  address: z
    .string()
    .max(300)
    .superRefine((address, context) => {
      const message = symbiontAddressProblem(address);
      if (message !== null) context.addIssue({ code: 'custom', message });
    })
    .meta({
      title: 'Address',
      description: 'Where “symbi up” answers, such as http://127.0.0.1:8080. From another machine: https.',
    }),
});
export type SymbiontProfile = z.infer<typeof symbiontProfileSchema>;

export const anyProfileSchema = z.discriminatedUnion('kind', [profileSchema, symbiontProfileSchema]);
export type AnyProfile = z.infer<typeof anyProfileSchema>;

export const appearanceSchema = z.strictObject({
  theme: z.enum(['system', 'dark', 'light', 'high-contrast']).default('system').meta({
    title: 'Theme',
    description: 'System follows the desktop, its contrast setting included.',
  }),
  fontFamily: line(200).min(1).default('JetBrains Mono Variable').meta({
    title: 'Terminal font',
    description: 'Any monospaced font of this machine; JetBrains Mono is bundled.',
  }),
  fontSize: z
    .number()
    .min(6)
    .max(40)
    .default(13.5)
    .meta({ title: 'Terminal font size', description: 'Pixels.' }),
  lineHeight: z.number().min(1).max(2).default(1.1).meta({ title: 'Line height' }),
  cursorStyle: z.enum(['block', 'bar', 'underline']).default('block').meta({ title: 'Cursor' }),
  cursorBlink: z.boolean().default(false).meta({ title: 'Blinking cursor' }),
  minimumContrast: z.number().min(1).max(21).default(4.5).meta({
    title: 'Minimum contrast',
    description: 'Text of programs is lightened or darkened to reach this ratio; 1 leaves colours alone.',
  }),
});

export const terminalSettingsSchema = z.strictObject({
  scrollback: z
    .number()
    .int()
    .min(0)
    .max(200_000)
    .default(10_000)
    .meta({ title: 'Scrollback', description: 'Lines.' }),
  renderer: z.enum(['auto', 'webgl', 'dom']).default('auto').meta({
    title: 'Renderer',
    description: 'Auto draws with WebGL and falls back to the DOM when the graphics context is lost.',
  }),
  copyOnSelect: z.boolean().default(false).meta({ title: 'Copy on select' }),
  middleClickPaste: z.boolean().default(true).meta({ title: 'Paste with the middle button' }),
  confirmMultilinePaste: z.boolean().default(true).meta({
    title: 'Confirm a paste of several lines',
    description: 'Only where the program has not asked for bracketed paste.',
  }),
  bell: z
    .enum(['mark', 'off'])
    .default('mark')
    .meta({ title: 'Bell', description: 'A mark on the tab, or nothing.' }),
  optionIsMeta: z.boolean().default(false).meta({ title: 'Option key is Meta', description: 'macOS.' }),
  screenReader: z.boolean().default(false).meta({
    title: 'Screen reader mode',
    description: 'Announces output; a flood is announced once.',
  }),
});

/** A key chord such as "Ctrl+Shift+P" per command id; null removes the command's key. */
export const keyMapSchema = z.record(z.string().max(64), z.string().max(64).nullable());

export const DEFAULT_PROFILE: Profile = profileSchema.parse({ id: 'shell', name: 'Shell' });

/** What is kept of finished transcripts: whatever is older goes, and then the oldest until the rest is small enough. */
export const transcriptSettingsSchema = z.strictObject({
  keepDays: z.number().int().min(1).max(36_500).default(90).meta({
    title: 'Keep transcripts',
    description: 'Days. A profile may say otherwise.',
  }),
  totalMiB: z.number().int().min(16).max(16_777_216).default(2048).meta({
    title: 'Space for transcripts',
    description: 'MiB of all transcripts together; the oldest go first.',
  }),
});

export const settingsSchema = z
  .strictObject({
    version: z.literal(SETTINGS_VERSION).default(SETTINGS_VERSION),
    appearance: appearanceSchema.default(() => appearanceSchema.parse({})).meta({ title: 'Appearance' }),
    terminal: terminalSettingsSchema
      .default(() => terminalSettingsSchema.parse({}))
      .meta({ title: 'Terminal' }),
    transcripts: transcriptSettingsSchema
      .default(() => transcriptSettingsSchema.parse({}))
      .meta({ title: 'Transcripts' }),
    keys: keyMapSchema.default({}).meta({ title: 'Keys' }),
    profiles: z
      .array(anyProfileSchema)
      .min(1)
      .max(100)
      .default(() => [DEFAULT_PROFILE])
      .meta({ title: 'Profiles' }),
    defaultProfile: z.string().max(64).default('shell').meta({ title: 'Default profile' }),
  })
  .superRefine((settings, context) => {
    const ids = settings.profiles.map((profile) => profile.id);
    for (const [index, id] of ids.entries()) {
      if (ids.indexOf(id) !== index) {
        context.addIssue({
          code: 'custom',
          path: ['profiles', index, 'id'],
          message: `repeats the id "${id}"`,
        });
      }
    }
    if (!sandboxProfiles(settings).some(({ id }) => id === settings.defaultProfile)) {
      context.addIssue({
        code: 'custom',
        path: ['defaultProfile'],
        message: 'must be the id of a sandbox profile',
      });
    }
  });
export type Settings = z.infer<typeof settingsSchema>;

/** The profiles that open something. There is always one: the default profile is of them. */
export function sandboxProfiles({ profiles }: { readonly profiles: readonly AnyProfile[] }): Profile[] {
  return profiles.filter((profile) => profile.kind === 'sandbox');
}

export function symbiontProfiles({
  profiles,
}: {
  readonly profiles: readonly AnyProfile[];
}): SymbiontProfile[] {
  return profiles.filter((profile) => profile.kind === 'symbiont');
}

/**
 * One thing that is wrong in the settings file: which field, and what it must be. `${field} ${message}` reads as a
 * sentence; the field is empty when the whole file is meant.
 */
export const settingsProblemSchema = z.object({ field: z.string(), message: z.string() });
export type SettingsProblem = z.infer<typeof settingsProblemSchema>;
