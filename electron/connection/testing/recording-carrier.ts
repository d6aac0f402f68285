import type { HostMessage } from '../../../shared/protocol/messages.ts';
import type { Carrier, CarrierListener } from '../carrier.ts';

/** A carrier to nowhere: keeps what it was given, and lets a test be the other end. */
export class RecordingCarrier implements Carrier {
  readonly sent: HostMessage[] = [];
  readonly frames: Uint8Array[] = [];
  /** Only with the argument `true`: then the other end can be asked, and `pings` counts it. */
  readonly ping?: () => void;
  pings = 0;
  bufferedAmount = 0;
  isOpen = true;
  listener: CarrierListener = {
    onControl: () => {},
    onFrame: () => {},
    onViolation: () => {},
    onPong: () => {},
    onClosed: () => {},
  };

  constructor(canDieSilently = false) {
    if (canDieSilently) {
      this.ping = () => {
        this.pings += 1;
      };
    }
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
