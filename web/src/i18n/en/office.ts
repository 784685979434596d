import type { NumberBounds } from '#shared/domain/payloads/administration.ts'
import type { Seconds } from '#shared/domain/units.ts'
import { english } from './formats.ts'

const { counted, date, number, size, time } = english

/** Name and help of a setting. */
export interface SettingText {
  name: string
  help?: string
}

/** Numbers of things that are deleted. */
export interface Deleted {
  messages: number
  files: number
  bytes: number
  entries: number
}

const amount = ({ messages, files, bytes, entries }: Deleted) =>
  [
    messages > 0 && counted(messages, 'message', 'messages'),
    files > 0 && `${counted(files, 'file', 'files')} (${size(bytes)})`,
    entries > 0 && counted(entries, 'entry', 'entries'),
  ]
    .filter(Boolean)
    .join(', ')

const settings: Record<string, SettingText> = {
  workspace_name: { name: 'Name', help: 'At the top, in the title of the window and on the sign-in page.' },
  accent: { name: 'Accent', help: 'Replaces the teal. Adjusted so that it stays readable in both themes.' },
  signup_mode: { name: 'Who gets an account' },
  who_invites: {
    name: 'Who invites',
    help: 'An invitation says who made it, and ends when that person leaves.',
  },
  who_creates_channels: { name: 'Who creates public channels' },
  who_mentions_everyone: { name: 'Who may write @everyone' },
  who_adds_emoji: { name: 'Who adds emoji' },
  who_makes_tokens: { name: 'Who makes tokens', help: 'With a token a program acts for its person.' },
  who_makes_bots: { name: 'Who makes bots', help: 'A bot is the account of a program.' },
  who_makes_hooks: {
    name: 'Who makes hooks',
    help: 'By hooks programs write into channels, and are told what happens.',
  },
  mcp_enabled: {
    name: 'Assistants by MCP',
    help: 'Assistants read and write with a token of a person or bot. What they read goes to whoever runs them.',
  },
  mention_guard: { name: 'Ask before @everyone from', help: 'Shows the number of people first.' },
  read_receipts: { name: 'Read receipts', help: 'People can opt out for themselves.' },
  link_previews: { name: 'Link cards', help: 'Cards with title and picture below links.' },
  max_message_chars: { name: 'Longest message' },
  max_upload_size_mb: {
    name: 'Largest file',
    help: 'Up to 2048 and more: large files are sent in parts.',
  },
  file_types: { name: 'Files that people may send' },
  user_upload_mb_per_day: {
    name: 'Files of a person per day',
    help: 'Deleted files do not count; 0 is no limit.',
  },
  max_avatar_size_mb: { name: 'Largest picture of a person' },
  max_request_size_mb: {
    name: 'Largest request',
    help: 'A proxy in front of this server has to allow as much.',
  },
  max_login_attempts: {
    name: 'Wrong passwords in a row',
    help: 'Then the account is locked; 0 never locks.',
  },
  lockout_duration_minutes: { name: 'Locked for' },
  session_idle_minutes: { name: 'Sessions end unused after', help: 'From 5 minutes to a year.' },
  keep_edits: {
    name: 'Earlier versions of edited messages',
    help: 'Readers see them under “(edited)”. Turned off, they are deleted at night.',
  },
  retention_days: { name: 'Messages', help: 'Older ones are deleted for good; 0 keeps all.' },
  retention_max_gb: { name: 'Files', help: 'Beyond this the oldest are deleted for good; 0 keeps all.' },
  audit_retention_days: { name: 'Audit log', help: 'At least 30 days; 0 keeps it forever.' },
  channels: { name: 'First public channels' },
  rate_limit_enabled: { name: 'Rate limits' },
  rate_limits: { name: 'Numbers of the rate limits', help: 'Count and seconds of each.' },
  max_event_streams_per_user: { name: 'Open tabs of a person' },
  min_free_disk_percent: { name: 'Free disk space', help: 'Below this, uploads are refused.' },
  wire_budget_mb_s: { name: 'Traffic of a list', help: 'Beyond this it is sent less often.' },
  stun_port: { name: 'Port for calls', help: 'UDP.' },
  preview_allow: { name: 'Internal pages with link cards' },
  hooks_allow: { name: 'Internal addresses of hooks and commands' },
  first_account_is_owner: { name: 'First account owns the server' },
  locked_settings: { name: 'Locked settings', help: 'They cannot be changed here.' },
  log_addresses: { name: 'Addresses of clients in the log' },
  confirm_minutes: { name: 'A password is asked again after' },
}

const units: Record<string, string> = {
  mention_guard: 'people',
  max_message_chars: 'characters',
  max_upload_size_mb: 'MiB',
  user_upload_mb_per_day: 'MiB',
  max_avatar_size_mb: 'MiB',
  max_request_size_mb: 'MiB',
  lockout_duration_minutes: 'minutes',
  session_idle_minutes: 'minutes',
  retention_days: 'days',
  retention_max_gb: 'GiB',
  audit_retention_days: 'days',
  min_free_disk_percent: '%',
  wire_budget_mb_s: 'MB/s',
  confirm_minutes: 'minutes',
}

const choices: Record<string, string> = {
  all: 'All',
  images: 'Images only',
  admins: 'Admins',
  members: 'Members',
  open: 'Anyone',
  invite: 'With a link',
  approval: 'After approval',
  closed: 'Nobody',
}

export const office = {
  workspaceSettings: {
    groups: {
      office: 'Workspace',
      people: 'Joining',
      talking: 'Messages',
      files: 'Files',
      access: 'Signing in',
      keeping: 'Retention',
      more: 'More',
      file: 'Only in settings.json',
    },
    settings,
    units,
    choices,
    fileMore: 'These are changed in the file on the server and count at once.',
    saved: (ts: Seconds) => `Saved, ${time(ts)}`,
    show: 'Show',
    number,
    on: 'On',
    off: 'Off',
    none: 'None',
    teal: 'Teal',
    byDefault: 'Default',
    fromFile: 'From settings.json',
    fromHere: (value: string) => `Chosen here. Default: ${value}.`,
    locked: 'Set in settings.json. It cannot be changed here.',
    reset: 'Reset',
    resetName: (name: string) => `Reset: ${name}`,
    needsNumber: ({ least, most, isAbove, orZero, isWhole }: NumberBounds) =>
      `${isWhole ? 'A whole number' : 'A number'} ${isAbove ? 'above' : 'from'} ${number(least)}${isAbove ? ', at most' : ' to'} ${number(most)}${orZero ? ', or 0' : ''}.`,
    needsColor: 'A colour has six digits from 0 to f, such as #c15c68.',
    needsText: 'A name has one line of 1 to 80 characters.',
    outOfRange: 'This value is not possible here.',
    refused: 'This can only be changed in settings.json.',
    notSaved: 'It could not be saved. Try again.',
    notLoaded: 'The settings could not be loaded.',
    logo: 'Logo',
    logoMore: 'PNG, JPEG or WebP of at most 1 MB. Shown at the top and on the sign-in page.',
    chooseFile: 'Choose a file',
    remove: 'Remove',
    removeLogo: 'Remove the logo',
    wrongLogo: 'That file is not a PNG, JPEG or WebP picture of at most 1 MB.',
    pickColor: 'Pick a colour',
    sample: 'Sample',
    deleteOlder: {
      retention_days: (value: number) =>
        `Messages older than ${counted(value, 'day', 'days')} are deleted for everyone.`,
      retention_max_gb: (value: number) =>
        `The oldest files are deleted for everyone until ${number(value)} GiB are left.`,
      audit_retention_days: (value: number) =>
        `Entries of the audit log older than ${counted(value, 'day', 'days')} are deleted.`,
    } as Record<string, (value: number) => string>,
    deleteTitle: 'Delete what is older?',
    cannotUndo: 'It begins soon and cannot be undone.',
    counting: 'Counting what this deletes …',
    notCounted: 'It could not be counted what this deletes.',
    amount,
    deletesNow: (some: Deleted) => {
      const words = amount(some)
      return words === '' ? 'Now it would delete nothing.' : `Now it would delete: ${words}.`
    },
    showList: 'Show the list',
    privateOnes: 'Private channels and conversations',
    deleteRun: 'Save and delete',
  },

  adminChannels: {
    count: (open: number, archived: number) => `${number(open)} open, ${number(archived)} archived`,
    find: 'Find a channel',
    filters: { open: 'Open', private: 'Private', quiet: 'Quiet for 90 days', archived: 'Archived' },
    sorts: {
      newest: 'Last message first',
      members: 'Most people first',
      messages: 'Most messages first',
      name: 'By name',
    },
    channel: 'Channel',
    who: 'Who',
    everyone: 'Everyone',
    managersWrite: 'Everyone reads, managers write',
    archived: 'Archived',
    people: 'People',
    last: 'Last message',
    start: 'Start',
    startHint: 'Everyone joins this channel automatically',
    details: 'Edit the channel',
    open: 'Open in the chat',
    makeDefault: 'Everyone joins it',
    noDefault: 'Nobody joins it automatically',
    archive: 'Archive',
    restore: 'Unarchive',
    none: 'No channel has that name.',
    messages: 'Messages',
    private: 'Private',
    empty: 'No such channel.',
    privateMore: 'Private channels show their name and size here, never what is said in them.',
    never: 'Never',
  },

  statistics: {
    people: 'People',
    guests: (count: number) => counted(count, 'guest', 'guests'),
    bots: (count: number) => counted(count, 'bot', 'bots'),
    active: 'Active people',
    activeIn: { day: 'Today', week: 'In 7 days', month: 'In 30 days' },
    messages: 'Messages',
    messagesMore: 'Sent since the beginning',
    files: 'Files',
    filesMore: 'On the disk of the file store',
    database: 'Database',
    databaseMore: 'Messages, accounts and search',
    perDay: 'Messages a day',
    chart: (total: number, most: number, day: string) =>
      `${counted(total, 'message', 'messages')} in 30 days. Most: ${number(most)}, ${day}.`,
    quiet: 'No messages in 30 days.',
    asTable: 'Show as a table',
    day: 'Day',
    top: 'Channels with most messages in 30 days',
    utc: 'Days in UTC. Updated every minute.',
    count: (count: number) => number(count),
    size,
  },

  ready: {
    done: (count: number, of: number) =>
      `${number(count)} of ${number(of)} done. Nothing here stops you from chatting.`,
    all: 'Ready. Nothing to do.',
    again: 'Check again',
    checking: 'Checking…',
    states: { ok: 'Done:', look: 'Look here:', unknown: 'Not checked:' },
    copy: 'Copy the line',
    copied: 'Line copied',
    secure: {
      title: 'Safe connection',
      ok: (host: string) => `${host} is encrypted.`,
      local: 'This page is open on the server itself. Others open this address, and need https for calls:',
      authority: (trust: string) =>
        `Encrypted by an authority of its own. Send people to ${trust}, and tell them this fingerprint:`,
      look: 'Browsers allow calls and notifications only over https. In .env, with the name or address of this server:',
    },
    live: {
      title: 'Messages arrive live',
      ok: 'The live connection works.',
      look: 'Messages come every few seconds. A proxy may hold events back; for nginx:',
    },
    calls: {
      title: 'Calls on this network',
      ok: 'The server answers over UDP. Tried from this browser.',
      look: 'The server did not answer over UDP. Open this port in its firewall:',
      unknown: 'This browser cannot tell. A call shows it.',
    },
    signUp: {
      title: 'Who can join',
      ok: 'Strangers cannot create an account.',
      local: 'Anyone who reaches this address can create an account. It is one of your own network.',
      look: (host: string) => `Anyone who reaches ${host} can create an account.`,
      action: 'Choose',
    },
    owners: {
      title: 'A second admin',
      ok: (count: number) => `${counted(count, 'person', 'people')} can administer this workspace.`,
      look: 'Only you can approve people or reset a password. Make somebody else an owner or admin.',
      unknown: 'The list of people could not be loaded.',
      action: 'People',
    },
    people: {
      title: 'Invite people',
      ok: (count: number) => `${counted(count, 'person is', 'people are')} here.`,
      invited: 'An invitation link is ready.',
      look: 'You are alone so far.',
      action: 'Invite people',
    },
    look: {
      title: 'Name and logo',
      ok: (name: string) => `This workspace is called ${name}.`,
      look: 'The workspace still has the name of the product.',
      action: 'Set up',
    },
    backup: {
      title: 'Backups',
      ok: (ts: Seconds) => `A backup was restored and compared: ${date(ts)}, ${time(ts)}.`,
      first: (ts: Seconds) => `The first backup is made and proven: ${date(ts)}, ${time(ts)}.`,
      look: 'No backup was restored and compared within 48 hours.',
      admin: 'Owners see here whether backups are made and proven.',
      unknown: 'The server did not say whether backups are made.',
      action: 'Backups',
    },
    linkEnds: (ts: Seconds | null) =>
      ts === null ? 'Does not end.' : `Works until ${date(ts)}, ${time(ts)}.`,
  },
}
