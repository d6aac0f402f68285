import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ok } from '../../../shared/result.ts';
import { Host, type HostOptions } from '../../host.ts';
import type { SandboxEngine } from '../../sandbox/engine.ts';
import { openConfFile } from '../../settings/settings-file.ts';
import { messagePortCarrier } from '../message-port-carrier.ts';
import { clientOverPort, type TestClient } from './test-client.ts';

/** A host in a folder of its own; `faults` are the exceptions it reported. */
export class TestHost {
  readonly host: Host;
  readonly dataDir = mkdtempSync(join(tmpdir(), 'airlock-host-'));
  readonly faults: unknown[] = [];

  constructor(engine: SandboxEngine, options: Partial<HostOptions> = {}) {
    this.host = new Host({
      kind: 'headless',
      version: '0.0.0',
      dataDir: this.dataDir,
      engines: [engine],
      openSettingsFile: openConfFile,
      platform: {},
      report: (_reference, fault) => this.faults.push(fault),
      ...options,
    });
  }

  /** A client over a port that has not greeted yet. */
  connect(): TestClient {
    const { client, port } = clientOverPort();
    this.host.connect(messagePortCarrier(port), async () => ok(undefined));
    return client;
  }

  async client(): Promise<TestClient> {
    const client = this.connect();
    await client.hello();
    return client;
  }

  async dispose(): Promise<void> {
    await this.host.close('The test is over.');
    rmSync(this.dataDir, { recursive: true });
  }
}
