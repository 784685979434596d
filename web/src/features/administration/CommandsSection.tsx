import { useState } from 'preact/hooks'
import type { CommandPayload } from '#shared/domain/payloads/commands.ts'
import { Avatar } from '../../common/Avatar.tsx'
import { MadeSecrets } from '../../common/MadeSecret.tsx'
import { strings } from '../../i18n/i18n.ts'
import { commands, removeCommand } from '../../net/requests/commands.ts'
import { showToast } from '../../ui/feedback.ts'
import type { MenuItem } from '../../ui/Menu.tsx'
import { ActionsButton } from './ActionsButton.tsx'
import { AskDialog, type Question } from './AskDialog.tsx'
import { CommandDialog } from './CommandDialog.tsx'
import { LastUse } from './LastUse.tsx'
import { ListSection } from './ListSection.tsx'
import { useList } from './use-list.ts'

type Opened =
  | { kind: 'make' }
  | { kind: 'edit'; command: CommandPayload }
  | { kind: 'ask'; question: Question }
  | { kind: 'made'; name: string; secret: string | null; verify_token: string | null }

/** The commands of the workspace, for administrators. */
export function CommandsSection() {
  const { items, hasFailed, reload } = useList([], commands)
  const [opened, setOpened] = useState<Opened>()
  const texts = strings.ownCommands
  const close = () => setOpened(undefined)
  return (
    <ListSection
      id="own-commands"
      title={texts.title}
      about={texts.about}
      make={{ label: texts.make, run: () => setOpened({ kind: 'make' }) }}
      none={texts.none}
      failed={hasFailed ? { sentence: texts.notLoaded, again: reload } : undefined}
      rows={items?.map(command => (
        <Row key={command.name} command={command} open={setOpened} changed={reload} />
      ))}
    >
      {(opened?.kind === 'make' || opened?.kind === 'edit') && (
        <CommandDialog
          command={opened.kind === 'edit' ? opened.command : undefined}
          close={close}
          changed={reload}
          saved={made => {
            reload()
            setOpened(made && { kind: 'made', ...made })
          }}
        />
      )}
      {opened?.kind === 'ask' && <AskDialog asked={opened.question} close={close} />}
      {opened?.kind === 'made' && (
        <MadeSecrets
          title={texts.secretOf(opened.name)}
          once={strings.hooksOut.once}
          lost={texts.lost}
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
  command: CommandPayload
  open: (opened: Opened) => void
  changed: () => void
}

function Row({ command, open, changed }: RowProps) {
  const { name, usage, description, url, last_used_ts: used = null, last_error: error } = command
  const texts = strings.ownCommands
  return (
    <li class="admin-row">
      {command.bot && <Avatar name={command.bot} size={36} />}
      <div>
        <span class="integrations-name">
          <bdi>
            /{name} {usage}
          </bdi>
        </span>
        {description && (
          <span class="hint" dir="auto">
            {description}
          </span>
        )}
        {url && <span class="hint">{texts.asks(new URL(url).host)}</span>}
        {error && <span class="integrations-look">{texts.failed(whyOf(error))}</span>}
      </div>
      <LastUse ts={used} />
      <ActionsButton
        label={strings.hooks.actionsOf(`/${name}`)}
        items={() => actionsOf(command, open, changed)}
      />
    </li>
  )
}

function whyOf(error: string): string {
  const status = /^status_(\d+)$/.exec(error)?.[1]
  if (status !== undefined) return strings.hooksOut.status(Number(status), null)
  return strings.hooksOut.errors[error] ?? error
}

function actionsOf(command: CommandPayload, open: (opened: Opened) => void, changed: () => void): MenuItem[] {
  const texts = strings.hooks
  const name = `/${command.name}`
  const question = {
    title: texts.removeOf(name),
    more: strings.ownCommands.removeMore,
    label: texts.remove,
    danger: true,
    name,
    run: () => removeCommand(command.name),
    done: () => {
      showToast(texts.isRemoved(name))
      changed()
    },
  }
  return [
    { label: texts.edit, icon: 'pencil', run: () => open({ kind: 'edit', command }) },
    {
      label: texts.remove,
      icon: 'trash',
      danger: true,
      apart: true,
      run: () => open({ kind: 'ask', question }),
    },
  ]
}
