import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { eventually } from './eventually.ts'
import type { Person } from './person.ts'

/** Sends numbered texts to `general` through several api processes until stopped. */
export function sendersOf(person: Person, apis: string[], count = 12) {
  const acknowledged: string[] = []
  const refused: number[] = []
  const run = randomUUID().slice(0, 8)
  let going = true
  const senders = Array.from({ length: count }, async (_, sender) => {
    for (let i = 0; going; i++) {
      const text = `numbered ${run} ${sender}/${i}`
      const status = await send(apis[sender % apis.length]!, text)
      if (status === 200) acknowledged.push(text)
      else {
        refused.push(status)
        await pause(50)
      }
    }
  })

  async function send(api: string, text: string): Promise<number> {
    const response = await fetch(`${api}/send/general`, {
      method: 'POST',
      headers: { Cookie: person.cookie },
      body: new URLSearchParams({ text }),
      redirect: 'manual',
      signal: AbortSignal.timeout(30_000),
    })
    await response.text()
    return response.status
  }

  return {
    acknowledged,
    refused: () => refused,
    async waitForSends(more: number) {
      const before = acknowledged.length
      const last = () => `acknowledged; the last refusals: ${refused.slice(-5).join(', ')}`
      await eventually(() => expect(acknowledged.length, last()).to.be.at.least(before + more), 60_000)
    },
    async stop() {
      going = false
      await Promise.all(senders)
      return refused
    },
  }
}
