/** Webhooks of Bitbucket Cloud, and of Bitbucket Data Center (`repo:refs_changed`, `pr:…`). */
import { type Fields, isFields } from '../slack-values.ts'
import { type HookMessage, type HookShape, headerIn } from './shape.ts'
import {
  bold,
  card,
  code,
  counted,
  excerpt,
  line,
  lines,
  link,
  listAt,
  listed,
  objectAt,
  plain,
  textAt,
} from './words.ts'

const MOST_COMMITS = 5
const MOST_CHANGES = 5

export const bitbucket: HookShape = {
  name: 'bitbucket',
  isIn: input => headerIn(input, 'x-event-key') !== undefined,
  convert: input => {
    const event = headerIn(input, 'x-event-key') ?? ''
    const { body } = input
    if (event === 'repo:push')
      return pushed(body, listAt(body, 'push.changes').map(changeOfCloud)) ?? { ignored: event }
    if (event === 'repo:refs_changed')
      return pushed(body, listAt(body, 'changes').map(changeOfCenter)) ?? { ignored: event }
    return pullRequest(body, event) ?? { ignored: event }
  },
}

const actor = (body: Fields) =>
  bold(textAt(body, 'actor.display_name') ?? textAt(body, 'actor.displayName') ?? textAt(body, 'actor.name'))

/** Cloud has an object of addresses, Data Center a list. */
function addressIn(of: Fields | undefined): string | undefined {
  const links = of && objectAt(of, 'links')
  const self = links?.['self']
  if (links && Array.isArray(self)) return isFields(self[0]) ? textAt(self[0], 'href') : undefined
  return links && textAt(links, 'html.href')
}

function repository(body: Fields): string {
  const of = objectAt(body, 'repository') ?? objectAt(body, 'pullRequest.toRef.repository') ?? {}
  const project = textAt(of, 'project.key')
  const name =
    textAt(of, 'full_name') ?? [project, textAt(of, 'slug') ?? textAt(of, 'name')].filter(Boolean).join('/')
  return link(addressIn(of), name)
}

function told(body: Fields, words: string, text?: string): HookMessage {
  const content = line(actor(body), words, repository(body) && `in ${repository(body)}`)
  return { text: content, cards: text === undefined ? [] : [card({ text })] }
}

function pushed(body: Fields, changes: string[]): HookMessage | undefined {
  const texts = changes.map(change => {
    const [first = '', ...commits] = change.split('\n')
    return lines(told(body, first).text, ...commits)
  })
  return texts.length === 0 ? undefined : { text: listed(texts, MOST_CHANGES, text => text), cards: [] }
}

/** The change of a branch or tag, and a line a commit. */
function changeOfCloud(change: Fields): string {
  const branch = objectAt(change, 'new') ?? objectAt(change, 'old') ?? {}
  const noun = textAt(branch, 'type')?.endsWith('tag') ? 'tag' : 'branch'
  const name = `${noun} ${code(textAt(branch, 'name'))}`
  if (textAt(change, 'closed') === 'true') return `deleted ${name}`
  const commits = listAt(change, 'commits')
  if (commits.length === 0) return `${textAt(change, 'created') === 'true' ? 'created' : 'moved'} ${name}`
  // Cloud lists five commits and says whether there are more.
  const isMore = textAt(change, 'truncated') === 'true'
  const count = link(
    textAt(change, 'links.html.href'),
    isMore ? `more than ${counted(commits.length, 'commit')}` : counted(commits.length, 'commit'),
  )
  const verb = textAt(change, 'forced') === 'true' ? 'force-pushed' : 'pushed'
  return lines(`${verb} ${count} to ${name}`, listed(commits, MOST_COMMITS, commitLine))
}

function commitLine(commit: Fields): string {
  const title = textAt(commit, 'message')?.split('\n', 1)[0]
  const author = textAt(commit, 'author.user.display_name') ?? textAt(commit, 'author.raw')?.split('<', 1)[0]
  const hash = link(textAt(commit, 'links.html.href'), textAt(commit, 'hash')?.slice(0, 7))
  return `- ${line(hash, plain(title), author && `(${plain(author)})`)}`
}

const VERBS: Record<string, string> = { ADD: 'created', DELETE: 'deleted', UPDATE: 'pushed to' }

function changeOfCenter(change: Fields): string {
  const type = textAt(change, 'type') ?? ''
  const verb = Object.hasOwn(VERBS, type) ? VERBS[type] : 'changed'
  const noun = (textAt(change, 'ref.type') ?? 'branch').toLowerCase()
  return line(verb, plain(noun), code(textAt(change, 'ref.displayId')))
}

const EVENTS: Record<string, string> = {
  'pullrequest:created': 'opened',
  'pullrequest:fulfilled': 'merged',
  'pullrequest:rejected': 'declined',
  'pullrequest:approved': 'approved',
  'pullrequest:changes_request_created': 'asked for changes of',
  'pullrequest:comment_created': 'commented on',
  'pr:opened': 'opened',
  'pr:merged': 'merged',
  'pr:declined': 'declined',
  'pr:reviewer:approved': 'approved',
  'pr:reviewer:changes_requested': 'asked for changes of',
  // Its former name.
  'pr:reviewer:needs_work': 'asked for changes of',
  'pr:comment:added': 'commented on',
}

function pullRequest(body: Fields, event: string): HookMessage | undefined {
  const verb = Object.hasOwn(EVENTS, event) ? EVENTS[event] : undefined
  if (verb === undefined) return undefined
  const of = objectAt(body, 'pullrequest') ?? objectAt(body, 'pullRequest') ?? {}
  const id = textAt(of, 'id')
  const subject = link(addressIn(of), line(id && `#${id}`, textAt(of, 'title')))
  return told(body, `${verb} pull request ${subject}`, excerpt(textOf(body, of, verb)))
}

function textOf(body: Fields, of: Fields, verb: string): string | undefined {
  if (verb === 'opened') return textAt(of, 'description')
  if (verb !== 'commented on') return undefined
  return textAt(body, 'comment.content.raw') ?? textAt(body, 'comment.text')
}
