import type * as en from '../en/search.ts'
import { german } from './formats.ts'

const { counted, number, shortDay } = german

export const search: typeof en.search = {
  search: {
    label: 'Suche',
    field: 'Nachrichten suchen',
    clear: 'Leeren',
    close: 'Suche schließen',
    from: 'Von',
    anyone: 'allen',
    in: 'In',
    anywhere: 'überall',
    anyTime: 'Jederzeit',
    since: (from: string) => `Ab ${from}`,
    until: (to: string) => `Bis ${to}`,
    between: (from: string, to: string) => `${from} bis ${to}`,
    fromDate: 'Von',
    toDate: 'Bis',
    removePerson: 'Personenfilter entfernen',
    removeChannel: 'Kanalfilter entfernen',
    removeDate: 'Datumsfilter entfernen',
    nothing: (typed: string) => (typed ? `Nichts passt zu „${typed}“` : 'Nichts passt'),
    nothingMore: 'Vielleicht ein Tippfehler, oder ein Filter zu viel.',
    everywhere: 'In allen Kanälen suchen',
    hint: 'Ein Wort eingeben, oder Person, Kanal oder Tag wählen.',
    recent: 'Letzte Suchen',
    results: (count: number) => counted(count, 'Treffer', 'Treffer'),
    newest: (count: number) => `Die neuesten ${count}. Ein engerer Zeitraum zeigt ältere.`,
    failed: 'Die Suche ist fehlgeschlagen. Noch einmal versuchen.',
    move: 'Bewegen',
    show: 'Im Kanal zeigen',
    resultsLabel: 'Treffer',
    shortDate: shortDay,
  },

  mentions: {
    title: 'Erwähnungen',
    unread: (count: number) => `${number(count)} ungelesen`,
    none: 'Niemand wartet.',
    in: (channel: string) => `in ${channel}`,
    close: 'Erwähnungen schließen',
  },
}
