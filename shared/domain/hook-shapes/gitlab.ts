/** Webhooks of GitLab. */
import type { Fields } from '../slack-values.ts'
import { type HookMessage, type HookShape, headerIn } from './shape.ts'
import {
  addressOf,
  bold,
  card,
  code,
  counted,
  excerpt,
  heading,
  keyOf,
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
const MOST_JOBS = 5

export const gitlab: HookShape = {
  name: 'gitlab',
  isIn: input => headerIn(input, 'x-gitlab-event') !== undefined && 'object_kind' in input.body,
  convert: ({ body }) => {
    const kind = textAt(body, 'object_kind') ?? ''
    const reader = Object.hasOwn(READERS, kind) ? READERS[kind] : undefined
    return (
      reader?.(body) ?? {
        ignored: line(kind.slice(0, 80), textAt(body, 'object_attributes.action')?.slice(0, 80)),
      }
    )
  },
}

const READERS: Record<string, (body: Fields) => HookMessage | undefined> = {
  push: body => push(body, 'branch'),
  tag_push: body => push(body, 'tag'),
  merge_request: mergeRequest,
  issue,
  work_item: issue,
  note,
  pipeline,
  release,
  deployment,
}

const person = (body: Fields) =>
  bold(
    textAt(body, 'user_name') ??
      textAt(body, 'user.name') ??
      textAt(body, 'user_username') ??
      textAt(body, 'commit.author.name'),
  )
const project = (body: Fields) =>
  link(textAt(body, 'project.web_url'), textAt(body, 'project.path_with_namespace'))

function told(body: Fields, words: string, text?: string): HookMessage {
  const content = line(person(body), words, project(body) && `in ${project(body)}`)
  return { text: content, cards: text === undefined ? [] : [card({ text })] }
}

function push(body: Fields, noun: string): HookMessage {
  const name = `${noun} ${code(textAt(body, 'ref')?.replace(/^refs\/(?:heads|tags)\//, ''))}`
  if (isZero(textAt(body, 'after'))) return told(body, `deleted ${name}`)
  if (noun === 'tag') return told(body, `pushed ${name}`)
  const commits = listAt(body, 'commits')
  if (commits.length === 0)
    return told(body, `${isZero(textAt(body, 'before')) ? 'created' : 'moved'} ${name}`)
  const total = Math.max(Number(textAt(body, 'total_commits_count')) || 0, commits.length)
  const { text, cards } = told(body, `pushed ${counted(total, 'commit')} to ${name}`)
  return { text: lines(text, listed(commits, MOST_COMMITS, commitLine, total)), cards }
}

const isZero = (hash: string | undefined) => hash !== undefined && /^0+$/.test(hash)

function commitLine(commit: Fields): string {
  const title = textAt(commit, 'title') ?? textAt(commit, 'message')?.split('\n', 1)[0]
  const author = textAt(commit, 'author.name')
  const hash = link(textAt(commit, 'url'), textAt(commit, 'id')?.slice(0, 7))
  return `- ${line(hash, plain(title), author && `(${plain(author)})`)}`
}

/** `merge request [!7 Title](address)`. */
function titled(of: Fields, noun: string, sign: string, address = textAt(of, 'url')): string {
  const number = textAt(of, 'iid')
  return `${noun} ${link(address, line(number && sign + number, textAt(of, 'title')))}`
}

const VERBS: Record<string, string> = {
  open: 'opened',
  close: 'closed',
  reopen: 'reopened',
  merge: 'merged',
  approved: 'approved',
}

function mergeRequest(body: Fields): HookMessage | undefined {
  const request = objectAt(body, 'object_attributes') ?? {}
  const action = textAt(request, 'action') ?? ''
  const subject = titled(request, 'merge request', '!')
  if (action === 'update' && textAt(body, 'changes.draft.current') === 'false')
    return told(body, `marked ${subject} as ready`)
  const verb = Object.hasOwn(VERBS, action) ? VERBS[action] : undefined
  if (verb === undefined) return undefined
  return told(
    body,
    `${verb} ${subject}`,
    action === 'open' ? excerpt(textAt(request, 'description')) : undefined,
  )
}

function issue(body: Fields): HookMessage | undefined {
  const of = objectAt(body, 'object_attributes') ?? {}
  const action = textAt(of, 'action') ?? ''
  if (!['open', 'close', 'reopen'].includes(action)) return undefined
  const noun = textAt(of, 'type')?.toLowerCase() ?? 'issue'
  const text = action === 'open' ? excerpt(textAt(of, 'description')) : undefined
  return told(body, `${VERBS[action]} ${titled(of, plain(noun), '#')}`, text)
}

function note(body: Fields): HookMessage | undefined {
  const action = textAt(body, 'object_attributes.action')
  if (action !== undefined && action !== 'create') return undefined
  const verb = link(textAt(body, 'object_attributes.url'), 'commented')
  return told(body, `${verb} on ${subjectOfNote(body)}`, excerpt(textAt(body, 'object_attributes.note')))
}

function subjectOfNote(body: Fields): string {
  // Most subjects come without an address of their own: it is the comment's without its anchor.
  const address = textAt(body, 'object_attributes.url')?.split('#', 1)[0]
  const request = objectAt(body, 'merge_request')
  if (request) return titled(request, 'merge request', '!', address)
  const of = objectAt(body, 'issue')
  if (of) return titled(of, 'issue', '#', address)
  const snippet = objectAt(body, 'snippet')
  if (snippet) return titled(snippet, 'snippet', '', address)
  const id = textAt(body, 'commit.id')
  return id === undefined ? 'a commit' : `commit ${link(textAt(body, 'commit.url'), id.slice(0, 7))}`
}

interface Outcome {
  title: string
  address: string | undefined
  outcome: string
  /** More lines for a failure. */
  details?: string
  key: string
}

function outcomeOf(
  body: Fields,
  { title, address, outcome, details, key }: Outcome,
): HookMessage | undefined {
  const isFailure = outcome === 'failed'
  if (!isFailure && outcome !== 'success') return undefined
  return {
    text: '',
    cards: [
      card({
        color: isFailure ? 'danger' : 'good',
        title: heading(`${isFailure ? 'Failed' : 'Recovered'}: ${title}`),
        url: addressOf(address),
        text: lines(project(body), isFailure && details),
      }),
    ],
    incident: isFailure ? { key, state: 'failing' } : { key, state: 'recovered', isQuietAlone: true },
  }
}

function pipeline(body: Fields): HookMessage | undefined {
  const of = objectAt(body, 'object_attributes') ?? {}
  const [id, ref, base] = [textAt(of, 'id'), textAt(of, 'ref'), textAt(body, 'project.web_url')]
  const failed = listAt(body, 'builds').filter(job => textAt(job, 'status') === 'failed')
  const jobs = listed(
    failed,
    MOST_JOBS,
    job => `- ${line(plain(textAt(job, 'stage')), plain(textAt(job, 'name')))}`,
  )
  return outcomeOf(body, {
    title: line('pipeline', id && `#${id}`, ref && `of ${ref}`),
    address: textAt(of, 'url') ?? (base && id && `${base}/-/pipelines/${id}`),
    outcome: textAt(of, 'status') ?? '',
    details: jobs,
    key: keyOf('pipeline', textAt(body, 'project.path_with_namespace'), ref),
  })
}

function release(body: Fields): HookMessage | undefined {
  if (textAt(body, 'action') !== 'create') return undefined
  const name = link(textAt(body, 'url'), textAt(body, 'name') ?? textAt(body, 'tag'))
  const text = excerpt(textAt(body, 'description'))
  return {
    text: line('New release', name, project(body) && `in ${project(body)}`),
    cards: text === undefined ? [] : [card({ text })],
  }
}

function deployment(body: Fields): HookMessage | undefined {
  const [place, ref] = [textAt(body, 'environment'), textAt(body, 'ref')]
  return outcomeOf(body, {
    title: line('deployment', ref && `of ${ref}`, place && `to ${place}`),
    address: textAt(body, 'deployable_url'),
    outcome: textAt(body, 'status') ?? '',
    key: keyOf('deployment', textAt(body, 'project.path_with_namespace'), place),
  })
}
