import { useState } from 'preact/hooks'
import type { OutgoingHookPayload, TestedHookPayload } from '#shared/domain/payloads/hooks-out.ts'
import { Avatar } from '../../common/Avatar.tsx'
import { MadeSecrets } from '../../common/MadeSecret.tsx'
import { strings } from '../../i18n/i18n.ts'
import {
  changeOutgoingHook,
  newOutgoingSecret,
  outgoingHooks,
  removeOutgoingHook,
  testOutgoingHook,
} from '../../net/requests/hooks-out.ts'
import { nameOf } from '../../store/channels/names.ts'
import { showToast } from '../../ui/feedback.ts'
import type { MenuItem } from '../../ui/Menu.tsx'
import { ActionsButton } from './ActionsButton.tsx'
import { AskDialog, type Question } from './AskDialog.tsx'
import { act } from './act.ts'
import { DeliveriesDialog } from './DeliveriesDialog.tsx'
import { ListSection } from './ListSection.tsx'
import { OutgoingDialog } from './OutgoingDialog.tsx'
import { useList } from './use-list.ts'

type Opened =
  | { kind: 'make' }
  | { kind: 'edit' | 'deliveries'; hook: OutgoingHookPayload }
  | { kind: 'ask'; question: Question }
  | { kind: 'made'; name: string; secret: string | null; verify_token?: string | null; warning?: string }

/** Outgoing hooks: everybody's for administrators, else the own ones, also of those who may make no more. */
export function OutgoingSection({ mayMake }: { mayMake: boolean }) {
  const { items, hasFailed, reload } = useList([], outgoingHooks)
  const [opened, setOpened] = useState<Opened>()
  const texts = strings.hooksOut
  const close = () => setOpened(undefined)
  if (!mayMake && !items?.length && !opened) return null
  return (
    <ListSection
      id="outgoing-hooks"
      title={texts.title}
      about={texts.about}
      make={mayMake ? { label: texts.make, run: () => setOpened({ kind: 'make' }) } : undefined}
      none={texts.none}
      failed={hasFailed ? { sentence: strings.hooks.notLoaded, again: reload } : undefined}
      rows={items?.map(hook => <Row key={hook.id} hook={hook} open={setOpened} changed={reload} />)}
    >
      {(opened?.kind === 'make' || opened?.kind === 'edit') && (
        <OutgoingDialog
          hook={opened.kind === 'edit' ? opened.hook : undefined}
          close={close}
          changed={reload}
          saved={(name, made) => {
            reload()
            setOpened(made && { kind: 'made', name, ...made })
          }}
        />
      )}
      {opened?.kind === 'deliveries' && (
        <DeliveriesDialog
          hook={opened.hook}
          close={() => {
            close()
            reload()
          }}
        />
      )}
      {opened?.kind === 'ask' && <AskDialog asked={opened.question} close={close} />}
      {opened?.kind === 'made' && (
        <MadeSecrets
          title={texts.secretOf(opened.name)}
          once={texts.once}
          lost={texts.lost}
          warning={opened.warning === undefined ? undefined : texts.notPublic}
          secret={opened.secret}
          secretMore={texts.secretMore}
          token={opened.verify_token}
          close={close}
        />
      )}
    </ListSection>
  )
}

interface RowProps {
  hook: OutgoingHookPayload
  open: (opened: Opened) => void
  changed: () => void
}

function Row({ hook, open, changed }: RowProps) {
  const { name, url, active, failing_since: failing, disabled_why: why, channels } = hook
  const texts = strings.hooksOut
  return (
    <li class={active ? 'admin-row' : 'admin-row is-off'}>
      <Avatar name={hook.bot} size={36} />
      <div>
        <span class="integrations-name">
          <bdi>{name}</bdi>
          {!active && <span class="person-tag">{strings.hooks.disabled}</span>}
        </span>
        <span class="hint">{texts.asks(hostOf(url), channels?.map(nameOf) ?? null)}</span>
        {!active && why !== null && <span class="integrations-look">{texts.why[why]}</span>}
      </div>
      {active && failing !== null && (
        <span class="integrations-end">
          <span class="integrations-failing" title={strings.fullTime(failing)}>
            {texts.failingSince(failing)}
          </span>
        </span>
      )}
      <span class="admin-row-actions">
        <button
          type="button"
          class="button"
          aria-label={texts.deliveriesOf(name)}
          onClick={() => open({ kind: 'deliveries', hook })}
        >
          {texts.deliveries}
        </button>
        <ActionsButton label={strings.hooks.actionsOf(name)} items={() => actionsOf(hook, open, changed)} />
      </span>
    </li>
  )
}

function sentenceOf({ status, ms, error = '' }: TestedHookPayload): string {
  const texts = strings.hooksOut
  return status === null ? texts.testFailed(texts.errors[error] ?? error) : texts.tested(status, ms)
}

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url)

function actionsOf(
  hook: OutgoingHookPayload,
  open: (opened: Opened) => void,
  changed: () => void,
): MenuItem[] {
  const { id, name, active } = hook
  const texts = strings.hooks
  const isDone = (sentence: string) => {
    showToast(sentence)
    changed()
  }
  const turn = () =>
    void act(
      () => changeOutgoingHook(id, { active: !active }),
      name,
      () => isDone((active ? texts.isDisabled : texts.isEnabled)(name)),
    )
  const test = () =>
    void act(
      () => testOutgoingHook(id),
      name,
      tested => showToast(sentenceOf(tested)),
    )
  return [
    { label: texts.edit, icon: 'pencil', run: () => open({ kind: 'edit', hook }) },
    { label: strings.hooksOut.test, icon: 'send', run: test },
    {
      label: strings.hooksOut.newSecret,
      icon: 'key',
      run: () =>
        open({
          kind: 'ask',
          question: {
            title: strings.hooksOut.newSecretOf(name),
            more: strings.hooksOut.newSecretMore,
            label: strings.hooksOut.newSecret,
            name,
            run: () => newOutgoingSecret(id),
            done: made => open({ kind: 'made', name, ...(made as { secret: string }) }),
          },
        }),
    },
    active
      ? { label: texts.disable, icon: 'x', run: turn }
      : { label: texts.enable, icon: 'refresh', run: turn },
    {
      label: texts.remove,
      icon: 'trash',
      danger: true,
      apart: true,
      run: () =>
        open({
          kind: 'ask',
          question: {
            title: texts.removeOf(name),
            more: strings.hooksOut.removeMore,
            label: texts.remove,
            danger: true,
            name,
            run: () => removeOutgoingHook(id),
            done: () => isDone(texts.isRemoved(name)),
          },
        }),
    },
  ]
}
