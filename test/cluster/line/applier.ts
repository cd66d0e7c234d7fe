import type { HostName } from './world.ts';

/** What the shared steps need from Argo CD or Flux. */
export interface Applier {
  /** What was rendered for it is applied by a person: after an installation, or after an accident. */
  bootstrap(): Promise<void>;
  /** Over when this commit is applied everywhere and everything is well; else tells what is not. */
  settle(commit: string, options?: SettleOptions): Promise<void>;
  /** Over when it has looked at what it has of this again, in git and on the cluster: `claim.ada`, on atlas. */
  lookAgain(name: string): Promise<void>;
  /** Somebody deletes everything that makes it apply anything. Over when it is gone. */
  deleteEverything(): Promise<void>;
  /** Takes a claim out of what was rendered for the applier itself, where it is named there. */
  withoutClaim(bootstrap: string, cluster: HostName, claim: string): string;
}

export interface SettleOptions {
  /** It looks at everything again, and not only at what the change can concern. */
  readonly everything?: boolean;
  /** Claims of which there is more on the cluster than in git, as the applier has to see. */
  readonly leaving?: readonly string[];
  /** `claim.ada`: what others take away or bring back meanwhile, so that it is enough that the commit was applied. */
  readonly moving?: readonly string[];
}
