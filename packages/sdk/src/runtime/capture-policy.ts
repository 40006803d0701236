import type { CaptureMode, Settings } from '../config/options.ts';
import type { TracedRequest } from '../http/messages/traced-message.ts';
import { isSampled, type Sampling } from '../http/trace/sampling.ts';

/** The settings that the project has on the server. If a setting is absent, the option of the host, or its default, applies. */
export interface RemoteSettings {
  readonly sampleRate?: number | undefined;
  readonly capture?: CaptureMode | undefined;
}

/**
 * The effective settings. An option that the host set takes precedence over the project's setting. Nothing is recorded while recording is
 * paused.
 */
export class CapturePolicy {
  private readonly settings: Settings;
  private remote: RemoteSettings = {};
  private sampling: Sampling;
  /** True from the host's `pause` to its `resume`. */
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

  /** True if the project's settings can have an effect, so that the SDK should request them. */
  get heedsRemote(): boolean {
    return !this.paused && !(this.settings.captureChosen && this.settings.sampleRateChosen);
  }

  samples(req: Pick<TracedRequest, 'method' | 'url' | 'headers'>): boolean {
    return isSampled(this.sampling, req);
  }

  /** Replaces the project's settings. */
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
