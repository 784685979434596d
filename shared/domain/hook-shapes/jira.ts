/** Webhooks of Jira. */
import type { Fields } from '../slack-values.ts'
import type { HookMessage, HookShape } from './shape.ts'
import { bold, card, excerpt, line, lines, link, listAt, listed, objectAt, plain, textAt } from './words.ts'

const MOST_CHANGES = 5

export const jira: HookShape = {
  name: 'jira',
  isIn: ({ body }) => typeof body['webhookEvent'] === 'string',
  convert: ({ body }) => {
    const event = textAt(body, 'webhookEvent') ?? ''
    return read(body, event) ?? { ignored: event.slice(0, 80) }
  },
}

function read(body: Fields, event: string): HookMessage | undefined {
  if (event === 'jira:issue_created')
    return told(body, 'created', excerpt(text(objectAt(body, 'issue.fields') ?? {}, 'description')))
  if (event === 'comment_created') return commented(body)
  return event === 'jira:issue_updated' ? updated(body) : undefined
}

/** Texts of the newer editor are documents, which are left out. */
const text = (of: Fields, name: string) => (typeof of[name] === 'string' ? textAt(of, name) : undefined)

function told(body: Fields, words: string, more?: string, after = ''): HookMessage {
  const person =
    textAt(body, 'user.displayName') ??
    textAt(body, 'comment.author.displayName') ??
    textAt(body, 'user.name')
  return {
    text: line(bold(person), words, subject(body), after),
    cards: more === undefined ? [] : [card({ text: more })],
  }
}

/** `[SHOP-7 Title](address)`. */
function subject(body: Fields): string {
  const key = textAt(body, 'issue.key')
  const base = textAt(body, 'issue.self')?.split('/rest/', 1)[0]
  const address = base && key && `${base}/browse/${encodeURIComponent(key.toWellFormed())}`
  // Comments of Data Center name no issue.
  return link(address, line(key, textAt(body, 'issue.fields.summary'))) || 'an issue'
}

const commented = (body: Fields) =>
  told(body, 'commented on', excerpt(text(objectAt(body, 'comment') ?? {}, 'body')))

function updated(body: Fields): HookMessage | undefined {
  const changes = listAt(body, 'changelog.items').flatMap(item => changeOf(item) ?? [])
  if (changes.length > 0) {
    const message = told(body, 'changed')
    return {
      ...message,
      text: lines(
        message.text,
        listed(changes, MOST_CHANGES, change => `- ${change}`),
      ),
    }
  }
  return objectAt(body, 'comment') ? commented(body) : undefined
}

function changeOf(item: Fields): string | undefined {
  // Cloud names fields in the words of its screens, with the id beside them.
  const field = (textAt(item, 'fieldId') ?? textAt(item, 'field'))?.toLowerCase()
  const to = plain(textAt(item, 'toString'))
  if (field === 'status') return line('status:', plain(textAt(item, 'fromString')), '→', to)
  return field === 'assignee' ? `assignee: ${to || 'none'}` : undefined
}
