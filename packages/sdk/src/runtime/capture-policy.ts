import type { CaptureMode, Settings } from '../config/options.ts';
import { isSampled, type Sampling } from '../http/context/sampling.ts';
import type { TracedRequest } from '../http/messages/traced-message.ts';

/** The project's settings on the server; an absent one is the host's choice. */
export interface RemoteSettings {
  readonly sampleRate?: number | undefined;
  readonly capture?: CaptureMode | undefined;
}

/** The settings in force: the host's options first, then the project's, and nothing while recording is paused. */
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

  /** True if the project's settings can change anything, so that the SDK should ask for them. */
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
