import type { Words } from './words.ts';

export const english: Words = {
  otherLanguage: 'Deutsch',
  languages: 'Language',
  askTitle: (claim) => `Do you still need ${claim}?`,
  asleepTitle: (claim) => `${claim} is asleep. Do you still need it?`,
  awake: (since) =>
    `Nobody has renewed this virtual cluster since ${since}. If nobody does, it is put to sleep, and later deleted with all of its data.`,
  asleep: (since) =>
    `Nobody has renewed this virtual cluster since ${since}. Its data is still there. If nobody renews it, it is deleted with all of it.`,
  blind: (deadline) => `The mail that brought you here named this date: ${deadline}.`,
  noGit:
    'What is known of it cannot be looked up just now. You can press the button all the same: your answer is kept until it can be carried out.',
  asOf: (time) => `As of ${time}; just now it cannot be looked up.`,
  claim: 'Virtual cluster',
  cluster: 'Host cluster',
  state: 'Now',
  states: { Running: 'running', Sleeping: 'asleep', Deleted: 'being deleted' },
  comparison: 'What happens when',
  event: 'Event',
  otherwise: 'If you do nothing',
  renewed: 'If you keep it',
  sleep: 'Put to sleep',
  deletion: 'Deleted with its data',
  button: (claim) => `Keep ${claim}`,
  effect: {
    Running: 'It goes on running as it does now. You will get a mail in time before anything happens to it.',
    Sleeping:
      'Keeping it does not wake it up: it stays asleep until somebody wakes it. You will get a mail in time before anything happens to it.',
    Deleted: '',
  },
  effectReviewed: 'The renewal is proposed as a pull request, and counts once the operators have merged it.',
  notNeeded: 'If you do not need it any more, close this page. There is nothing else to do.',
  doneTitle: (claim) => `${claim} is kept`,
  done: 'The renewal is on record. Nothing happens to it before:',
  doneReviewed: 'The renewal is proposed to the operators. Once they have merged it, nothing happens before:',
  proposed: 'If they have not done so by the date in your mail, please ask them.',
  stillAsleep: 'It is asleep, and stays so until somebody wakes it.',
  close: 'You will get a mail in time before anything happens. You can close this page.',
  keptTitle: (claim) => `Your answer for ${claim} is kept`,
  kept: (since) =>
    `The place where renewals are recorded cannot be reached just now. Your answer of ${since} is stored here and will be carried out as soon as it can be. It counts from the moment you pressed the button.`,
  keptNext: 'You need not press again. To see whether it has been carried out, open the link in your mail again later.',
  contact: 'Questions? Write to',
  refusals: {
    expired: {
      title: 'This link is too old',
      why: 'The date that its mail named has passed.',
      next: 'Look for a newer mail about the same virtual cluster and use the link in that one. If there is none, ask the operators.',
    },
    'unknown-claim': {
      title: 'This virtual cluster is not there',
      why: 'It has been deleted, or it has another name now.',
      next: 'If you still need it, ask the operators, and give them the name in your mail.',
    },
    foreign: {
      title: 'This link is for another virtual cluster',
      why: 'Since the mail was sent, another virtual cluster has taken the name.',
      next: 'Use the link in a mail about the new one. If you expected the old one to be there, ask the operators.',
    },
    'deletion-ordered': {
      title: 'It is too late to keep it',
      why: 'The deletion of this virtual cluster has been ordered and is under way.',
      next: 'If that should not have happened, ask the operators at once.',
    },
    'never-expires': {
      title: 'There is nothing to do',
      why: 'This virtual cluster does not expire any more: it is kept without renewals.',
      next: 'You can close this page.',
    },
    forged: {
      title: 'This link does not work',
      why: 'It is not complete, or it was changed on its way.',
      next: 'Open the link in the mail itself. If it was broken over several lines, copy all of it.',
    },
    'other-page': {
      title: 'This link belongs to another page',
      why: 'It was made for another installation.',
      next: 'Open the link in the mail itself, without changing its address.',
    },
    'unknown-key': {
      title: 'This link cannot be checked',
      why: 'The key that signed it is not known here: it is very old, or very new.',
      next: 'Try again in a few minutes, or use the link in a newer mail. If that does not help, ask the operators.',
    },
    'no-link': {
      title: 'Nothing to see here',
      why: 'This page is opened by the link in a mail about a virtual cluster.',
      next: 'Look for the mail, and open the link in it.',
    },
    'cross-site': {
      title: 'Please press the button on this page',
      why: 'The request came from another page, so it was not carried out.',
      next: 'Open the link in your mail, and press the button there.',
    },
    'old-form': {
      title: 'Please press the button again',
      why: 'The page had been open for a long time, so nothing was carried out.',
      next: 'Open the link in your mail again, and press the button there.',
    },
    'too-many': {
      title: 'Too many requests',
      why: 'More requests came from your network than this page answers at a time. Nothing was changed.',
      next: 'Wait a minute, then open the link again.',
    },
    lost: {
      title: 'Your answer could not be kept',
      why: 'Neither could the renewal be recorded, nor could it be stored here until it can be. It has not been accepted.',
      next: 'Please try again in a few minutes. If that goes on, write to the operators.',
    },
    mistake: {
      title: 'Something went wrong',
      why: 'This is a mistake of the page. Whether the renewal was recorded is not known.',
      next: 'Please open the link in your mail again: it shows how things are. Pressing twice does no harm.',
    },
  },
};
