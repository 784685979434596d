import { useState } from 'preact/hooks'
import type { IncomingHookPayload } from '#shared/domain/payloads/hooks.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { Avatar } from '../../common/Avatar.tsx'
import { MadeSecret } from '../../common/MadeSecret.tsx'
import { strings } from '../../i18n/i18n.ts'
import {
  changeIncomingHook,
  incomingHooks,
  newHookAddress,
  removeIncomingHook,
} from '../../net/requests/hooks.ts'
import { nameOf } from '../../store/channels/names.ts'
import { displayed } from '../../store/people/people.ts'
import { viewer } from '../../store/store.ts'
import { showToast } from '../../ui/feedback.ts'
import type { MenuItem } from '../../ui/Menu.tsx'
import { ActionsButton } from './ActionsButton.tsx'
import { AskDialog, type Question } from './AskDialog.tsx'
import { act } from './act.ts'
import { mayAdminister } from './admin-pages.ts'
import { HookDialog } from './HookDialog.tsx'
import { ListSection } from './ListSection.tsx'
import { MadeHook } from './MadeHook.tsx'
import { SignSecretDialog } from './SignSecretDialog.tsx'
import { TryHookDialog } from './TryHookDialog.tsx'
import { useList } from './use-list.ts'

type Opened =
  | { kind: 'make' }
  | { kind: 'edit' | 'try' | 'sign'; hook: IncomingHookPayload }
  | { kind: 'ask'; question: Question }
  | { kind: 'made'; name: string; url: string | null }
  | { kind: 'secret'; name: string; secret: string }

interface Props {
  /** Undefined: hooks of all channels. */
  channel?: ChannelId
  mayMake: boolean
  /** The viewer changes the hooks of this person too: all as a manager. */
  mayChange: (hook: IncomingHookPayload) => boolean
}

/** Incoming hooks of a channel or of all, also the own ones of those who may make no more. */
export function IncomingSection({ channel, mayMake, mayChange }: Props) {
  const { items, hasFailed, reload } = useList([channel], () => incomingHooks(channel))
  const [opened, setOpened] = useState<Opened>()
  const texts = strings.hooks
  const close = () => setOpened(undefined)
  if (channel === undefined && !mayMake && !items?.length) return null
  return (
    <ListSection
      id="incoming-hooks"
      title={texts.title}
      about={texts.about}
      make={mayMake ? { label: texts.make, run: () => setOpened({ kind: 'make' }) } : undefined}
      none={channel === undefined ? texts.none : texts.noneHere}
      failed={hasFailed ? { sentence: texts.notLoaded, again: reload } : undefined}
      rows={items?.map(hook => (
        <Row
          key={hook.id}
          hook={hook}
          isAmongAll={channel === undefined}
          open={mayChange(hook) ? setOpened : undefined}
          changed={reload}
        />
      ))}
    >
      {(opened?.kind === 'make' || opened?.kind === 'edit') && (
        <HookDialog
          hook={opened.kind === 'edit' ? opened.hook : undefined}
          channel={channel}
          close={close}
          saved={(name, made) => {
            reload()
            setOpened(made && { kind: 'made', name, url: made.url })
          }}
        />
      )}
      {opened?.kind === 'try' && <TryHookDialog hook={opened.hook} close={close} />}
      {opened?.kind === 'sign' && (
        <SignSecretDialog
          hook={opened.hook}
          close={close}
          saved={secret => {
            const { name } = opened.hook
            reload()
            setOpened(secret === undefined ? undefined : { kind: 'secret', name, secret })
            if (secret === undefined) showToast(texts.isSigned(name))
          }}
        />
      )}
      {opened?.kind === 'ask' && <AskDialog asked={opened.question} close={close} />}
      {opened?.kind === 'made' && <MadeHook name={opened.name} url={opened.url} close={close} />}
      {opened?.kind === 'secret' && (
        <MadeSecret
          title={texts.signSecretOf(opened.name)}
          secret={opened.secret}
          once={texts.onceSecret}
          lost={texts.lost}
          close={close}
        />
      )}
    </ListSection>
  )
}

interface RowProps {
  hook: IncomingHookPayload
  isAmongAll: boolean
  /** Undefined for those who only see it. */
  open: ((opened: Opened) => void) | undefined
  changed: () => void
}

function Row({ hook, isAmongAll, open, changed }: RowProps) {
  const { name, channel, created_by: maker, disabled, signed, last_error: error } = hook
  const texts = strings.hooks
  return (
    <li class={disabled ? 'admin-row is-off' : 'admin-row'}>
      <Avatar name={hook.bot} size={36} />
      <div>
        <span class="integrations-name">
          <bdi>{name}</bdi>
          {disabled && <span class="person-tag">{texts.disabled}</span>}
          {signed && <span class="person-tag">{texts.signed}</span>}
        </span>
        {(isAmongAll || maker) && (
          <span class="hint">{texts.madeBy(nameOf(channel), maker ? displayed(maker) : null)}</span>
        )}
        <span class="hint">{texts.used(hook.uses, hook.last_used_ts)}</span>
        {error !== null && (
          <span class="integrations-error">{texts.lastError(texts.errors[error] ?? error)}</span>
        )}
      </div>
      {open && (
        <span class="admin-row-actions">
          <button
            type="button"
            class="button"
            aria-label={texts.tryOf(name)}
            onClick={() => open({ kind: 'try', hook })}
          >
            {texts.tryIt}
          </button>
          <ActionsButton label={texts.actionsOf(name)} items={() => actionsOf(hook, open, changed)} />
        </span>
      )}
    </li>
  )
}

function actionsOf(
  hook: IncomingHookPayload,
  open: (opened: Opened) => void,
  changed: () => void,
): MenuItem[] {
  const { id, name, disabled } = hook
  const texts = strings.hooks
  const ask = (question: Question) => open({ kind: 'ask', question })
  const isDone = (sentence: string) => {
    showToast(sentence)
    changed()
  }
  const turn = () =>
    void act(
      () => changeIncomingHook(id, { disabled: !disabled }),
      name,
      () => isDone((disabled ? texts.isEnabled : texts.isDisabled)(name)),
    )
  const turning: MenuItem = disabled
    ? { label: texts.enable, icon: 'refresh', run: turn }
    : { label: texts.disable, icon: 'x', run: turn }
  return [
    ...(mayEdit(hook) ? editsOf(hook, open, changed) : []),
    turning,
    {
      label: texts.remove,
      icon: 'trash',
      danger: true,
      apart: true,
      run: () =>
        ask({
          title: texts.removeOf(name),
          more: texts.removeMore,
          label: texts.remove,
          danger: true,
          name,
          run: () => removeIncomingHook(id),
          done: () => isDone(texts.isRemoved(name)),
        }),
    },
  ]
}

/** Managers of the channel stop a hook with a right of administrators, and do not change it. */
const mayEdit = ({ may_choose_channel, may_mention_everyone, created_by }: IncomingHookPayload) =>
  !(may_choose_channel || may_mention_everyone) || created_by === viewer || mayAdminister()

function editsOf(hook: IncomingHookPayload, open: (opened: Opened) => void, changed: () => void): MenuItem[] {
  const { id, name, signed } = hook
  const texts = strings.hooks
  const ask = (question: Question) => open({ kind: 'ask', question })
  const unsigning: MenuItem = {
    label: texts.endSecret,
    icon: 'key',
    run: () =>
      ask({
        title: texts.endSecretOf(name),
        more: texts.endSecretMore,
        label: texts.endSecret,
        danger: true,
        name,
        run: () => changeIncomingHook(id, { sign_secret: null }),
        done: () => {
          showToast(texts.isUnsigned(name))
          changed()
        },
      }),
  }
  return [
    { label: texts.edit, icon: 'pencil', run: () => open({ kind: 'edit', hook }) },
    {
      label: texts.newAddress,
      icon: 'link',
      run: () =>
        ask({
          title: texts.newAddressOf(name),
          more: texts.newAddressMore,
          label: texts.newAddress,
          name,
          run: () => newHookAddress(id),
          done: made => open({ kind: 'made', name, url: (made as { url: string }).url }),
        }),
    },
    { label: texts.secret, icon: 'key', run: () => open({ kind: 'sign', hook }) },
    ...(signed ? [unsigning] : []),
  ]
}
