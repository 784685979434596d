import type { Channel } from '../../store/channels/channels.ts'

type Of = Pick<Channel, 'pictures' | 'pending' | 'unconfirmed'>

/**
 * Frees the local pictures of delivered messages, whose rows then show those of the server. Called when the channel is
 * left, so that no picture on the screen is loaded again.
 */
export function freePictures({ pictures, pending, unconfirmed }: Of, revoke = URL.revokeObjectURL) {
  const isWaiting = (key: string) => unconfirmed.has(key) || pending.peek().some(one => one.key === key)
  for (const [key, address] of pictures) {
    if (isWaiting(key)) continue
    pictures.delete(key)
    revoke(address)
  }
}
