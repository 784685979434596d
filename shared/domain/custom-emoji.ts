/** Names and files of the workspace's own emoji (interface 13.2). */

const NAME = /^[a-z0-9_+-]{2,32}$/

export const isEmojiName = (text: string): boolean => NAME.test(text)

export const MOST_EMOJI = 500
/** The longer side of a picture, in pixels: four times that of a line of text. */
export const EMOJI_SIZE = 128

/** Stored files of one emoji: the upload until it is converted, the picture, and the first frame of a moving one. */
const FILE = /^(emoji-[0-9a-f]{32})\.(?:source|webp|still\.webp)$/

export interface EmojiFiles {
  source: string
  picture: string
  still: string
}

const filesOf = (stem: string): EmojiFiles => ({
  source: `${stem}.source`,
  picture: `${stem}.webp`,
  still: `${stem}.still.webp`,
})

export const newEmojiFiles = (uuid: string): EmojiFiles => filesOf(`emoji-${uuid.replaceAll('-', '')}`)

/** The files of the emoji that this one belongs to; undefined for files of other kinds. */
export function emojiFilesWith(name: string): EmojiFiles | undefined {
  const stem = FILE.exec(name)?.[1]
  return stem === undefined ? undefined : filesOf(stem)
}
