import type { Words } from './words.ts';

export const german: Words = {
  otherLanguage: 'English',
  languages: 'Sprache',
  askTitle: (claim) => `Brauchen Sie ${claim} noch?`,
  asleepTitle: (claim) => `${claim} schläft. Brauchen Sie ihn noch?`,
  awake: (since) =>
    `Dieser virtuelle Cluster wurde seit dem ${since} nicht verlängert. Bleibt es dabei, wird er schlafen gelegt und später mit allen seinen Daten gelöscht.`,
  asleep: (since) =>
    `Dieser virtuelle Cluster wurde seit dem ${since} nicht verlängert. Seine Daten sind noch da. Bleibt es dabei, wird er mit ihnen gelöscht.`,
  blind: (deadline) => `Die Mail, die Sie hierher geführt hat, nannte diesen Termin: ${deadline}.`,
  noGit:
    'Was über ihn bekannt ist, lässt sich gerade nicht nachschlagen. Den Knopf können Sie trotzdem drücken: Ihre Antwort wird aufbewahrt, bis sie ausgeführt werden kann.',
  asOf: (time) => `Stand ${time}; gerade lässt es sich nicht nachschlagen.`,
  claim: 'Virtueller Cluster',
  cluster: 'Host-Cluster',
  state: 'Zurzeit',
  states: { Running: 'läuft', Sleeping: 'schläft', Deleted: 'wird gelöscht' },
  comparison: 'Was wann geschieht',
  event: 'Ereignis',
  otherwise: 'Wenn Sie nichts tun',
  renewed: 'Wenn Sie ihn behalten',
  sleep: 'Schlafen gelegt',
  deletion: 'Mit Daten gelöscht',
  button: (claim) => `${claim} behalten`,
  effect: {
    Running: 'Er läuft weiter wie bisher. Bevor etwas mit ihm geschieht, bekommen Sie rechtzeitig eine Mail.',
    Sleeping:
      'Das weckt ihn nicht: Er schläft weiter, bis ihn jemand weckt. Bevor etwas mit ihm geschieht, bekommen Sie rechtzeitig eine Mail.',
    Deleted: '',
  },
  effectReviewed:
    'Die Verlängerung wird als Pull Request vorgeschlagen und gilt, sobald die Betreiber ihn übernommen haben.',
  notNeeded: 'Wenn Sie ihn nicht mehr brauchen, schließen Sie diese Seite einfach. Mehr ist nicht zu tun.',
  doneTitle: (claim) => `${claim} bleibt erhalten`,
  done: 'Die Verlängerung ist eingetragen. Bis dahin geschieht nichts mit ihm:',
  doneReviewed:
    'Die Verlängerung ist den Betreibern vorgeschlagen. Sobald sie übernommen ist, geschieht bis dahin nichts:',
  proposed: 'Ist das bis zum Termin in Ihrer Mail nicht geschehen, fragen Sie bitte nach.',
  stillAsleep: 'Er schläft, bis ihn jemand weckt.',
  close: 'Bevor etwas geschieht, bekommen Sie rechtzeitig eine Mail. Sie können diese Seite schließen.',
  keptTitle: (claim) => `Ihre Antwort zu ${claim} ist aufbewahrt`,
  kept: (since) =>
    `Die Stelle, an der Verlängerungen eingetragen werden, ist gerade nicht erreichbar. Ihre Antwort vom ${since} ist hier gespeichert und wird ausgeführt, sobald es geht. Sie zählt von dem Augenblick an, in dem Sie den Knopf gedrückt haben.`,
  keptNext:
    'Sie brauchen nicht noch einmal zu drücken. Ob sie ausgeführt ist, sehen Sie, wenn Sie den Link in Ihrer Mail später wieder öffnen.',
  contact: 'Fragen? Schreiben Sie an',
  refusals: {
    expired: {
      title: 'Dieser Link ist zu alt',
      why: 'Der Termin, den die Mail nannte, ist vorbei.',
      next: 'Suchen Sie eine neuere Mail über denselben virtuellen Cluster und benutzen Sie deren Link. Gibt es keine, fragen Sie die Betreiber.',
    },
    'unknown-claim': {
      title: 'Diesen virtuellen Cluster gibt es nicht',
      why: 'Er wurde gelöscht, oder er heißt jetzt anders.',
      next: 'Wenn Sie ihn noch brauchen, fragen Sie die Betreiber und nennen Sie den Namen aus Ihrer Mail.',
    },
    foreign: {
      title: 'Dieser Link gehört zu einem anderen virtuellen Cluster',
      why: 'Seit die Mail verschickt wurde, hat ein anderer virtueller Cluster den Namen bekommen.',
      next: 'Benutzen Sie den Link aus einer Mail über den neuen. Wenn Sie den alten erwartet haben, fragen Sie die Betreiber.',
    },
    'deletion-ordered': {
      title: 'Es ist zu spät, ihn zu behalten',
      why: 'Die Löschung dieses virtuellen Clusters ist angeordnet und im Gang.',
      next: 'Wenn das nicht hätte geschehen sollen, wenden Sie sich sofort an die Betreiber.',
    },
    'never-expires': {
      title: 'Es ist nichts zu tun',
      why: 'Dieser virtuelle Cluster läuft nicht mehr ab: Er bleibt auch ohne Verlängerung.',
      next: 'Sie können diese Seite schließen.',
    },
    forged: {
      title: 'Dieser Link funktioniert nicht',
      why: 'Er ist nicht vollständig, oder er wurde unterwegs verändert.',
      next: 'Öffnen Sie den Link direkt aus der Mail. Ist er dort auf mehrere Zeilen verteilt, kopieren Sie ihn ganz.',
    },
    'other-page': {
      title: 'Dieser Link gehört zu einer anderen Seite',
      why: 'Er wurde für eine andere Installation ausgestellt.',
      next: 'Öffnen Sie den Link direkt aus der Mail, ohne die Adresse zu ändern.',
    },
    'unknown-key': {
      title: 'Dieser Link lässt sich nicht prüfen',
      why: 'Der Schlüssel, mit dem er unterschrieben ist, ist hier nicht bekannt: Er ist sehr alt oder ganz neu.',
      next: 'Versuchen Sie es in einigen Minuten wieder, oder benutzen Sie den Link aus einer neueren Mail. Hilft das nicht, fragen Sie die Betreiber.',
    },
    'no-link': {
      title: 'Hier gibt es nichts zu sehen',
      why: 'Diese Seite öffnet sich mit dem Link aus einer Mail über einen virtuellen Cluster.',
      next: 'Suchen Sie die Mail und öffnen Sie den Link darin.',
    },
    'cross-site': {
      title: 'Bitte drücken Sie den Knopf auf dieser Seite',
      why: 'Die Anfrage kam von einer anderen Seite und wurde deshalb nicht ausgeführt.',
      next: 'Öffnen Sie den Link in Ihrer Mail und drücken Sie dort den Knopf.',
    },
    'old-form': {
      title: 'Bitte drücken Sie den Knopf noch einmal',
      why: 'Die Seite war lange geöffnet, deshalb wurde nichts ausgeführt.',
      next: 'Öffnen Sie den Link in Ihrer Mail noch einmal und drücken Sie dort den Knopf.',
    },
    'too-many': {
      title: 'Zu viele Anfragen',
      why: 'Aus Ihrem Netz kamen mehr Anfragen, als diese Seite auf einmal beantwortet. Geändert wurde nichts.',
      next: 'Warten Sie eine Minute und öffnen Sie den Link dann wieder.',
    },
    lost: {
      title: 'Ihre Antwort konnte nicht aufbewahrt werden',
      why: 'Die Verlängerung ließ sich weder eintragen noch hier aufbewahren. Sie ist nicht angenommen.',
      next: 'Bitte versuchen Sie es in einigen Minuten noch einmal. Hilft das nicht, schreiben Sie den Betreibern.',
    },
    mistake: {
      title: 'Etwas ist schiefgegangen',
      why: 'Das ist ein Fehler der Seite. Ob die Verlängerung eingetragen ist, ist nicht bekannt.',
      next: 'Bitte öffnen Sie den Link in Ihrer Mail noch einmal: Er zeigt, wie es steht. Zweimal zu drücken schadet nicht.',
    },
  },
};
