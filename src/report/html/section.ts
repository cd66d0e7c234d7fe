import type { Plan } from '../../plan/plan.ts';
import type { Markup } from './markup.ts';

/** A part of the report. What comes of another source than the plan joins the list with sections of its own. */
export interface Section {
  /** Of its heading: where the list of contents leads to. */
  readonly id: string;
  readonly title: string;
  /** The content below the heading; undefined when there is nothing to say. At most 1.2 megabytes. */
  readonly body: (plan: Plan) => Markup | undefined;
}
