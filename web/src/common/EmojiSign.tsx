import { customEmoji, emojiPicture } from '../store/messages/custom-emoji.ts'
import { emojiOf } from './emoji.ts'
import './EmojiSign.css'

/** The emoji of a reaction or of `:name:`: a character, or a picture of the workspace. */
export function EmojiSign({ name }: { name: string }) {
  const own = customEmoji.value.get(name)
  if (!own) return <>{emojiOf(name)}</>
  return <img class="emoji-sign" src={emojiPicture(own)} alt={`:${name}:`} draggable={false} />
}
