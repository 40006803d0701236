import { isSampled, type Sampling } from './http/sampling.ts';
import type { TracedRequest } from './http/traced-message.ts';
import type { CaptureMode, Settings } from './options.ts';

/** What the project on the server asks for; what is absent is the host's own choice. */
export interface RemoteSettings {
  readonly sampleRate?: number | undefined;
  readonly capture?: CaptureMode | undefined;
}

/** What is recorded now: as the host chose at the start, where it left that open as the project asks, and nothing while it is paused. */
export class CapturePolicy {
  private readonly settings: Settings;
  private remote: RemoteSettings = {};
  private sampling: Sampling;
  /** By the host, until it resumes. */
  paused = false;

  constructor(settings: Settings) {
    this.settings = settings;
    this.sampling = this.samplingNow();
  }

  get capture(): CaptureMode {
    if (this.paused) return 'off';
    const { capture, captureChosen } = this.settings;
    return captureChosen ? capture : (this.remote.capture ?? capture);
  }

  /** Whether the project has a say, so that it is worth asking. */
  get heedsRemote(): boolean {
    return !this.paused && !(this.settings.captureChosen && this.settings.sampleRateChosen);
  }

  samples(req: Pick<TracedRequest, 'method' | 'url' | 'headers'>): boolean {
    return isSampled(this.sampling, req);
  }

  /** Takes over what the project asks for now, in place of what it asked for before. */
  follow(remote: RemoteSettings): void {
    this.remote = remote;
    this.sampling = this.samplingNow();
  }

  private samplingNow(): Sampling {
    const { sampleRate, sampleRateChosen, sampleRoutes, followParent } = this.settings;
    const rate = sampleRateChosen ? sampleRate : (this.remote.sampleRate ?? sampleRate);
    return { rate, routes: sampleRoutes, followParent };
  }
}
