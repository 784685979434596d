import { createInterface } from 'node:readline/promises'
import { closeForGood, deleteForGood, mayDelete } from '../../services/api/channels/info/delete-for-good.ts'
import type { Outcome } from './outcome.ts'
import { withStores } from './stores.ts'

const REFUSED = {
  unknown: 'There is no channel with this id.',
  'not archived': 'Archive the channel first: its details in the client, or POST /channel_info/<id>/archive.',
  'in the settings': 'Take the channel out of `channels` in settings.json first.',
}

/** Deletes an archived channel with its messages, after its id was typed again. */
export async function deleteChannel([channel = '', ...rest]: string[]): Promise<Outcome> {
  if (channel === '' || rest.length > 0)
    throw new Error('Which channel? npm run admin -- delete-channel <id>')
  return withStores(async stores => {
    const answer = await mayDelete(stores, channel)
    if (answer !== 'yes') throw new Error(REFUSED[answer])
    const terminal = createInterface({ input: process.stdin, output: process.stderr })
    const again = await terminal.question(`Everything in it is lost. Type ${channel} again to delete it: `)
    terminal.close()
    if (again.trim() !== channel) throw new Error('That is another id: nothing was deleted.')
    // The channel may have come back during the question.
    const closed = await closeForGood(stores, channel)
    if (closed !== 'yes') throw new Error(REFUSED[closed])
    const removed = await deleteForGood(stores, channel)
    return {
      text: `#${channel} and its ${removed} messages are deleted.`,
      json: { channel, messages: removed },
    }
  })
}
