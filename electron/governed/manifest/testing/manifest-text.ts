/** A manifest with every table, valid as it stands; the tests change one thing in it. */
export const VALID = `[tool]
name = "writer"
version = "1.0.0"
mode = "session"
description = "Writes a report"
timeout_seconds = 20
risk_tier = "medium"
[tool.cedar]
resource = "Reports::Writer"
action = "drive"
[filesystem]
read = ["data/rates.csv"]
create = ["data/report.csv"]
max_file_bytes = 262144
[session]
startup_command = "/bin/sh -i"
ready_pattern = 'report>'
startup_timeout_seconds = 5
idle_timeout_seconds = 120
session_timeout_seconds = 600
max_interactions = 40
interaction = { output_max_bytes = 65536, output_wait_ms = 1000 }
[session.commands.add]
pattern = 'add [a-z]{1,40}'
description = "Append a row"
[session.commands.add.args.ticket]
position = 1
type = "string"
[session.commands.save]
pattern = 'save'
description = "Publish"
risk_tier = "high"
human_approval = true
finalize = true
[output]
format = "text"
`;

/** The valid manifest with one piece of text replaced; throws when the piece is not there. */
export function changed(piece: string, replacement: string, text = VALID): string {
  if (!text.includes(piece)) throw new Error(`not in the manifest: ${piece}`);
  return text.replace(piece, () => replacement);
}

/** The smallest session manifest with these commands' TOML. */
export function manifestWith(commands: string, session = ''): string {
  return `[tool]
name = "t"
version = "1"
mode = "session"
description = "d"
[session]
startup_command = "sh"
ready_pattern = '>'
${session}
${commands}
[output]
format = "text"
`;
}
