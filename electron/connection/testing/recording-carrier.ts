import type { HostMessage } from '../../../shared/protocol/messages.ts';
import type { Carrier, CarrierListener } from '../carrier.ts';

/** A carrier to nowhere: keeps what it was given, and lets a test be the other end. */
export class RecordingCarrier implements Carrier {
  readonly sent: HostMessage[] = [];
  readonly frames: Uint8Array[] = [];
  readonly canDieSilently: boolean;
  bufferedAmount = 0;
  isOpen = true;
  listener: CarrierListener = {
    onControl: () => {},
    onFrame: () => {},
    onViolation: () => {},
    onClosed: () => {},
  };

  constructor(canDieSilently = false) {
    this.canDieSilently = canDieSilently;
  }

  listen(listener: CarrierListener): void {
    this.listener = listener;
  }

  sendControl(message: HostMessage): void {
    this.sent.push(message);
  }

  sendFrame(frame: Uint8Array<ArrayBuffer>): void {
    this.frames.push(frame);
  }

  close(): void {
    this.isOpen = false;
  }
}
