import { emojiFilesWith } from './custom-emoji.ts'
import { imageOfThumbnail, isStoredName } from './uploads.ts'

const AVATAR = /^avatar-[0-9a-f]{32}\.jpg$/
const LOGO = /^logo-[0-9a-f]{32}\.webp$/

/**
 * True for the names that bothy gives to files: uploads, their thumbnails, avatars, logos and emoji. Lists of folders,
 * buckets and backups may hold other names, which are never used as paths.
 */
export const isFileName = (name: string): boolean =>
  isStoredName(name) ||
  AVATAR.test(name) ||
  LOGO.test(name) ||
  imageOfThumbnail(name) !== undefined ||
  emojiFilesWith(name) !== undefined
