import type { IncomingHookPayload } from '#shared/domain/payloads/hooks.ts'
import { Avatar } from '../../common/Avatar.tsx'
import { strings } from '../../i18n/i18n.ts'
import { changeIncomingHook } from '../../net/requests/hooks.ts'
import { nameOf } from '../../store/channels/names.ts'
import { displayed } from '../../store/people/people.ts'
import { viewer } from '../../store/store.ts'
import { showToast } from '../../ui/feedback.ts'
import type { MenuItem } from '../../ui/Menu.tsx'
import { ActionsButton } from './ActionsButton.tsx'
import type { Question } from './AskDialog.tsx'
import { act } from './act.ts'
import { mayAdminister } from './admin-pages.ts'
import { unsigningQuestion } from './hook-questions.ts'

/** Actions on the hook of a row. */
export interface HookActs {
  open: () => void
  close: () => void
  renewAddress: () => void
  tryIt: () => void
  sign: () => void
  remove: () => void
  ask: (question: Question) => void
  changed: () => void
}

interface Props {
  hook: IncomingHookPayload
  isAmongAll: boolean
  /** In the panel. */
  isOpened: boolean
  /** Undefined for those who only see it. */
  acts: HookActs | undefined
}

export const rowButton = (id: number) => `hook-${id}`

export function HookRow({ hook, isAmongAll, isOpened, acts }: Props) {
  const { id, name, channel, created_by: maker, disabled, signed, last_error: error } = hook
  const texts = strings.hooks
  return (
    <li class={`admin-row${disabled ? ' is-off' : ''}${isOpened ? ' is-picked' : ''}`}>
      <span class="hook-mark">
        <Avatar name={hook.bot} size={36} />
      </span>
      <div>
        <span class="integrations-name">
          {acts && mayEdit(hook) ? (
            <button
              type="button"
              id={rowButton(id)}
              class="admin-name"
              aria-expanded={isOpened}
              aria-controls={isOpened ? 'hook-panel' : undefined}
              onClick={isOpened ? acts.close : acts.open}
            >
              <bdi>{name}</bdi>
            </button>
          ) : (
            <bdi>{name}</bdi>
          )}
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
      {acts && (
        <span class="admin-row-actions">
          <button type="button" class="button" aria-label={texts.tryOf(name)} onClick={acts.tryIt}>
            {texts.tryIt}
          </button>
          <ActionsButton label={texts.actionsOf(name)} items={() => actionsOf(hook, acts)} />
        </span>
      )}
    </li>
  )
}

/** Managers of the channel stop a hook with a right of administrators, and do not change it. */
const mayEdit = ({ may_choose_channel, may_mention_everyone, created_by }: IncomingHookPayload) =>
  !(may_choose_channel || may_mention_everyone) || created_by === viewer || mayAdminister()

function actionsOf(hook: IncomingHookPayload, acts: HookActs): MenuItem[] {
  const { id, name, disabled } = hook
  const texts = strings.hooks
  const turn = () =>
    void act(
      () => changeIncomingHook(id, { disabled: !disabled }),
      name,
      () => {
        showToast((disabled ? texts.isEnabled : texts.isDisabled)(name))
        acts.changed()
      },
    )
  const turning: MenuItem = disabled
    ? { label: texts.enable, icon: 'refresh', run: turn }
    : { label: texts.disable, icon: 'x', run: turn }
  return [
    ...(mayEdit(hook) ? editsOf(hook, acts) : []),
    turning,
    { label: texts.remove, icon: 'trash', danger: true, apart: true, run: acts.remove },
  ]
}

function editsOf(hook: IncomingHookPayload, acts: HookActs): MenuItem[] {
  const texts = strings.hooks
  const unsigning: MenuItem = {
    label: texts.endSecret,
    icon: 'key',
    run: () => acts.ask(unsigningQuestion(hook, acts.changed)),
  }
  return [
    { label: texts.edit, icon: 'pencil', run: acts.open },
    { label: texts.newAddress, icon: 'link', run: acts.renewAddress },
    { label: texts.secret, icon: 'key', run: acts.sign },
    ...(hook.signed ? [unsigning] : []),
  ]
}
