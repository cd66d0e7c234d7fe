import { App, Chart } from 'cdk8s';
import { ClaimObjects } from '../constructs/claim.ts';
import { propsOf } from './helm-chart.ts';

/** What one would write with cdk8s alone: one App, a Chart for each claim, `synth()`. Run as a program of its own. */
const [root = '', outdir = ''] = process.argv.slice(2);
const app = new App({ outdir });
for (const props of await propsOf(root)) {
  new ClaimObjects(new Chart(app, props.text.name), 'claim', props);
}
app.synth();
