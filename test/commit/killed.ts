// Started by a test as a process of its own: commits, says when it has come to a stage, and waits there to be killed.
import { setTimeout as sleep } from 'node:timers/promises';
import { tempRepo } from '../support/temp-repo.ts';
import { commitIn, compileStandIn } from './stand-in.ts';

const [dir = '.', stage] = process.argv.slice(2);
const env = Object.fromEntries(Object.entries(process.env).map(([name, value]) => [name, value ?? '']));

await commitIn(tempRepo(dir, env), env, {
  compile: async (request) => {
    const answer = await compileStandIn(request);
    if (stage === 'compile') {
      process.stdout.write('here\n');
      await sleep(30_000);
    }
    return answer;
  },
  onProgress: (event) => {
    if (event.stage === 'push' && stage === 'push') setTimeout(() => process.stdout.write('here\n'), 500);
  },
});
