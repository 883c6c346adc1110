import {
  type ComponentProps,
  type FormEventHandler,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
} from 'react'
import type { Failure } from '../lib/use-failure.ts'
import type { GuardedOverlay } from '../lib/use-guarded-overlay.ts'
import { Button } from './button.tsx'
import { FailureAlert } from './failure-alert.tsx'
import { LeaveDialog } from './leave-dialog.tsx'
import { Sheet } from './sheet.tsx'

type ActionSheetProps = Omit<ComponentProps<typeof Sheet>, 'closeLabel' | 'actions' | 'footer'> & {
  /** Label of the button with the action, and its label while the action is running. */
  confirm?: string
  confirming?: string
  busy: boolean
  /** Something is missing before it can be confirmed. */
  notYet?: boolean
  /** What the button does: it submits the form with this id, or calls the function. Null: there is no button. */
  action: string | (() => void) | null
  actionButton?: RefObject<HTMLButtonElement | null>
  /** The other button, which closes the sheet unless it has an `onClick` of its own. */
  other?: Pick<ComponentProps<typeof Button>, 'inactive' | 'onClick'> & { label: string }
  /** The entry that has opened it. Asks before unsaved changes are discarded. */
  overlay?: GuardedOverlay
  leaveTexts?: { text: string; stay?: string }
}

/** A sheet with one action, beside a button that closes it. */
export function ActionSheet(props: ActionSheetProps) {
  const { confirm = 'Salva', confirming = 'Salvataggio in corso…', busy, notYet = false } = props
  const { action, actionButton, other = { label: 'Annulla' }, overlay, leaveTexts } = props
  const { title, hasEntry = overlay !== undefined, onClose, onReturnFocus, children } = props
  const { label, ...otherButton } = other
  const ownButton = useRef<HTMLButtonElement>(null)
  const button = actionButton ?? ownButton
  return (
    <Sheet
      title={title}
      closeLabel="Chiudi la finestra"
      hasEntry={hasEntry}
      footer={
        <>
          <Button className="flex-1" onClick={onClose} {...otherButton}>
            {label}
          </Button>
          {action === null ? null : (
            <Button
              ref={button}
              look="primary"
              className="flex-1"
              inactive={busy || notYet}
              {...(typeof action === 'string'
                ? { type: 'submit', form: action }
                : { onClick: action })}
            >
              {busy ? confirming : confirm}
            </Button>
          )}
        </>
      }
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      {children}
      {overlay?.asks ? (
        <LeaveDialog
          text="Ci sono modifiche non ancora salvate."
          {...leaveTexts}
          onStay={overlay.stay}
          onLeave={overlay.close}
          onReturnFocus={() => button.current?.focus()}
        />
      ) : null}
    </Sheet>
  )
}

type FormSheetProps = Omit<ActionSheetProps, 'action' | 'notYet'> & {
  /** The reason of a failed submission that belongs to no field; null for none. */
  failure: Failure | null
  onSubmit: FormEventHandler<HTMLFormElement>
}

/** A sheet with a form, whose first field gets the focus. */
export function FormSheet({ failure, onSubmit, children, ...sheet }: FormSheetProps) {
  const id = useId()
  return (
    <ActionSheet {...sheet} action={id}>
      <SheetForm id={id} failure={failure} onSubmit={onSubmit}>
        {children}
      </SheetForm>
    </ActionSheet>
  )
}

type SheetFormProps = Pick<FormSheetProps, 'failure' | 'onSubmit'> & {
  id: string
  children: ReactNode
}

/** The form of an `ActionSheet`. */
export function SheetForm({ id, failure, onSubmit, children }: SheetFormProps) {
  const form = useRef<HTMLFormElement>(null)
  // Only once the sheet contains it, and before the sheet gives the focus to its close button.
  useEffect(() => form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus(), [])
  return (
    <form
      ref={form}
      id={id}
      noValidate
      autoComplete="off"
      onSubmit={onSubmit}
      className="flex flex-col gap-4"
    >
      <FailureAlert failure={failure} />
      {children}
    </form>
  )
}
