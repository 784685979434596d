import { expect } from 'chai'
import { newEmojiFiles } from './custom-emoji.ts'
import { isFileName } from './file-names.ts'
import { THUMBNAIL_KINDS, thumbnailName } from './uploads.ts'

const HEX = '0123456789abcdef0123456789abcdef'

describe('names of stored files', () => {
  it('are those of uploads, thumbnails, avatars, logos and emoji', () => {
    const { source, picture, still } = newEmojiFiles(HEX)
    const thumbnails = THUMBNAIL_KINDS.map(kind => thumbnailName(`${HEX}.png`, kind))
    const others = [`${HEX}.png`, `${HEX}_plan.v2.txt`, `avatar-${HEX}.jpg`, `logo-${HEX}.webp`]
    for (const name of [...others, ...thumbnails, source, picture, still])
      expect(isFileName(name), name).to.equal(true)
  })

  it('contain no path and nothing that another program gave', () => {
    const foreign = [
      '',
      '.',
      '..',
      '../escaped',
      '/etc/passwd',
      '.DS_Store',
      'incoming',
      'uploads',
      'plan.txt',
    ]
    const near = [
      `../${HEX}.png`,
      `${HEX}_../x`,
      `${HEX}_a\\b`,
      `${HEX}_a\0b`,
      `${HEX}.png\n`,
      `${HEX}.svg`,
      `${HEX}_`,
      `${HEX}_${'a'.repeat(201)}`,
      `${HEX.toUpperCase()}.png`,
      `avatar-${HEX}.png`,
      `logo-${HEX}.webp/..`,
      `emoji-${HEX}.webp.new`,
    ]
    for (const name of [...foreign, ...near]) expect(isFileName(name), name).to.equal(false)
  })
})
