import type { Scope } from '#shared/domain/tokens.ts'
import type * as en from '../en/tokens.ts'
import { german } from './formats.ts'

const { counted, date, time } = german

const rights = (scopes: readonly Scope[]) => {
  if (scopes.includes('admin'))
    return scopes.includes('channels')
      ? 'Liest, schreibt, ändert Kanäle, verwaltet'
      : 'Liest, schreibt, verwaltet'
  if (scopes.includes('channels')) return 'Liest, schreibt, ändert Kanäle'
  return scopes.includes('write') ? 'Liest und schreibt' : 'Liest'
}

const NAMED = 3

export const tokens: typeof en.tokens = {
  tokens: {
    more: 'Mit einem Token handelt ein Skript oder Programm in deinem Namen, ohne dein Passwort. Gib jedem ein eigenes, mit nicht mehr Rechten als nötig.',
    make: 'Neues Token',
    none: 'Du hast keine Token.',
    mayNot: 'Hier legen nur Administratoren Token an.',
    notLoaded: 'Die Liste konnte nicht geladen werden.',
    end: 'Beenden',
    endOf: name => `${name} beenden`,
    isEnded: name => `${name} gilt nicht mehr.`,
    notEnded: 'Es konnte nicht beendet werden. Versuch es noch einmal.',
    rights(scopes, channels) {
      if (channels === null) return rights(scopes)
      const more = channels.length - NAMED
      const named = channels.slice(0, NAMED).join(', ') || 'keinem Kanal'
      return `${rights(scopes)} in ${named}${more > 0 ? ` und ${counted(more, 'weiteren', 'weiteren')}` : ''}`
    },
    used(ts, from) {
      if (ts === null) return 'Nie benutzt.'
      return `Zuletzt benutzt: ${date(ts)}, ${time(ts)}${from === null ? '' : ` von ${from}`}.`
    },
    ends(ts, ended) {
      if (ended === 'revoked') return 'Beendet.'
      if (ts === null) return 'Endet nicht.'
      return ended === 'expired' ? `Beendet: ${date(ts)}.` : `Endet: ${date(ts)}.`
    },
    name: 'Name',
    nameHint: 'Wofür es ist, zum Beispiel „Backup-Skript“.',
    nameIt: 'Gib einen Namen ein.',
    may: 'Es darf',
    choices: {
      read: 'Lesen',
      write: 'Lesen und schreiben',
      channels: 'Auch Kanäle ändern',
      admin: 'Auch verwalten',
    },
    worksFor: 'Gilt',
    lifetime: days => (days === 0 ? 'Ohne Ende' : days === 365 ? 'Ein Jahr' : counted(days, 'Tag', 'Tage')),
    where: 'Wo',
    everywhere: 'Überall, wo du darfst',
    someChannels: 'Nur in einigen Kanälen',
    channels: 'Kanäle',
    chooseChannels: 'Wähle mindestens einen Kanal.',
    endsWith: 'Es endet auch, wenn du dein Passwort änderst.',
    create: 'Token anlegen',
    tooMany: 'Du hast 50 Token. Beende zuerst eines.',
    notMade: 'Das Token konnte nicht angelegt werden. Versuch es noch einmal.',
    isMade: name => `Token für ${name}`,
    once: 'Kopiere es jetzt: Es wird nicht noch einmal gezeigt. Wer es hat, darf, was es darf.',
    lost: 'Das Token wurde angelegt, kam aber hier nicht an. Beende es und lege ein neues an.',
    copy: 'Kopieren',
    copyCommand: 'Den Befehl kopieren',
    copied: 'Kopiert',
    tryIt: 'Probier es aus',
    hello: 'Hallo von einem Skript',
    kept: 'Fertig',
    personal: 'Token',
    personalMore: 'Von Leuten und Bots. Beendete stehen hier noch 30 Tage.',
    whose: 'Handelt als',
    use: 'Benutzung',
    nobodys: 'Niemand hat ein Token angelegt.',
    noneOf: (name: string) => `Keine Token von ${name}. Namen gelten im Ganzen.`,
  },
}
