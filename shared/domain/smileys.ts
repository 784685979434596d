/** Punctuation that people type for an emoji, as in Slack and Mattermost (interface 2.10). */
export const SMILEYS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '🙂': [':)', ':-)'],
    '😃': [':D', ':-D'],
    '😉': [';)', ';-)'],
    '🙁': [':(', ':-('],
    '😢': [":'("],
    '😛': [':p', ':P', ':-p', ':-P'],
    '😮': [':o', ':O', ':-o', ':-O'],
    '😐': [':|', ':-|'],
    '😕': [':/', ':-/'],
    '😘': [':*', ':-*'],
    '❤️': ['<3'],
    '💔': ['</3'],
  }).flatMap(([emoji, typed]) => typed.map(one => [one, emoji] as const)),
)

/** A smiley at the index that white space, the end or punctuation follows. */
export const SMILEY_HERE = /(?::'\(|[:;]-?\)|:-?[D(pPoO|/*]|<\/?3)(?=$|[\s.,!?)])/y
