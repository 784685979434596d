import { expect } from 'chai'
import { hookShapes } from '#shared/domain/hook-shapes/index.ts'
import { converted } from './convert.ts'
import type { HookRow } from './queries.ts'
import { objectIn } from './read-body.ts'
import { refusalFor } from './refusals.ts'

const HOOK = { template: 'On {{text}} {{attachments.0.title}}', may_mention_everyone: false } as HookRow

/** Numbers from 0 to 1, the same in every run. */
function random(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const KEYS = [
  ...['text', 'blocks', 'attachments', 'fields', 'elements', 'type', 'style', 'url', 'title', 'value'],
  ...['username', 'icon_emoji', 'channel', 'thread_ts', 'client_id', 'ts', 'actions', 'options', 'accessory'],
  ...['color', 'image_url', 'alt_text', '__proto__', 'constructor', 'alerts', 'status', 'labels', 'orgId'],
  ...['heartbeat', 'monitor', 'commits', 'repository', 'pull_request', 'action', 'ref', 'object_kind'],
]
const HEADERS = ['x-github-event', 'x-gitea-event', 'x-gitlab-event']
const TEXTS = [
  ...['', ' ', 'section', 'rich_text', 'header', 'actions', 'rich_text_list', 'mrkdwn', '<!channel>', '`'],
  ...['<http://a|b', '&lt;&amp;lt;', '```', '| a |\n|--|\n| b |', '\ud800', '\0', '@everyone', '#'.repeat(9)],
]

function value(next: () => number, depth: number): unknown {
  const pick = <T>(items: readonly T[]) => items[Math.floor(next() * items.length)]!
  if (depth === 0 || next() < 0.4) return next() < 0.8 ? pick(TEXTS) : pick([null, true, 0, -1.5, 1e308])
  if (next() < 0.5) return Array.from({ length: Math.floor(next() * 4) }, () => value(next, depth - 1))
  return Object.fromEntries(
    Array.from({ length: Math.floor(next() * 6) }, () => [pick(KEYS), value(next, depth - 1)]),
  )
}

describe('the body of a post to a hook', () => {
  it('becomes a message, or is refused, whatever it has', () => {
    const outcomes = new Set<string>()
    const next = random(7)
    const names = [undefined, undefined, 'slack', 'template', ...hookShapes.keys()]
    for (let i = 0; i < 20_000; i++) {
      const json = JSON.stringify(value(next, 5))
      try {
        const body = objectIn(Buffer.from(json), 'application/json')
        const shape = names[Math.floor(next() * names.length)]
        const headers = next() < 0.5 ? {} : { [HEADERS[Math.floor(next() * HEADERS.length)]!]: 'push' }
        const made = converted({ headers, body, shape }, HOOK, 200)
        if ('content' in made) {
          expect(made.content.length, json).to.be.at.most(200)
          expect(made.content.isWellFormed() && !made.content.includes('\0'), json).to.equal(true)
        }
        outcomes.add('ignored' in made ? 'ignored' : 'message')
      } catch (err) {
        outcomes.add(refusalFor(err).code)
      }
    }
    expect([...outcomes]).to.have.members(['message', 'ignored', 'invalid_payload', 'no_text'])
  })
})
