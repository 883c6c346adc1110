import { type ComponentProps, type ReactNode, useRef } from 'react'
import type { Failure } from '../lib/use-failure.ts'
import { useLeavePrompt } from '../lib/use-leave-prompt.ts'
import { Button } from './button.tsx'
import { cn } from './class-names.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { FailureAlert } from './failure-alert.tsx'
import { LeaveDialog } from './leave-dialog.tsx'

type SettingFormProps = Pick<
  ComponentProps<'form'>,
  'aria-label' | 'className' | 'onSubmit' | 'children'
> & {
  /** The label of the button. */
  submit?: string
  busy: boolean
  /** There is nothing to save. */
  notYet?: boolean
  failure: Failure | null
  /** Buttons beside that which saves. */
  actions?: ReactNode
  /** Asks before it is saved, because data will be removed; null while there is nothing to ask. */
  loss?: Omit<ComponentProps<typeof ConfirmDialog>, 'confirm' | 'confirming'> | null
  /** Asks before unsaved changes are discarded by a link. */
  leave?: Pick<ComponentProps<typeof LeaveDialog>, 'title' | 'text' | 'leave'> & {
    unsaved: boolean
    onDiscard?: () => void
  }
}

/** The form of a setting on a page. */
export function SettingForm({ submit = 'Salva', busy, failure, ...props }: SettingFormProps) {
  const { notYet = false, actions, loss, leave, children, className, ...form } = props
  const { unsaved = false, onDiscard, ...texts } = leave ?? { text: '' }
  const button = useRef<HTMLButtonElement>(null)
  const leaving = useLeavePrompt(unsaved)
  return (
    <form noValidate className={cn('flex flex-col gap-4', className)} {...form}>
      <FailureAlert failure={failure} />
      {children}
      <div className="flex flex-wrap gap-3">
        <Button ref={button} type="submit" look="primary" inactive={busy || notYet}>
          {busy ? 'Salvataggio in corso…' : submit}
        </Button>
        {actions}
      </div>
      {loss ? (
        <ConfirmDialog confirm="Salva ed elimina" confirming="Salvataggio in corso…" {...loss} />
      ) : null}
      {leaving.asks ? (
        <LeaveDialog
          {...texts}
          onStay={leaving.stay}
          onLeave={() => {
            onDiscard?.()
            leaving.leave()
          }}
          onReturnFocus={() => button.current?.focus()}
        />
      ) : null}
    </form>
  )
}
