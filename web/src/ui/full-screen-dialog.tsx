import * as Radix from '@radix-ui/react-dialog'
import type { KeyboardEventHandler, MouseEventHandler, ReactNode } from 'react'
import { useLayer } from '../lib/layers.ts'
import type { ModalProps } from '../lib/use-opened.ts'
import { cn } from './class-names.ts'

type FullScreenDialogProps = ModalProps & {
  /** With a `FullScreenTitle`. */
  children: ReactNode
  onKeyDown: KeyboardEventHandler
  onClick: MouseEventHandler
  className?: string
}

/** The title of a dialog, at its place in it. */
export const FullScreenTitle = Radix.Title

/** A modal that fills the window, above toasts too. It has the focus itself, so that keys press no button. */
export function FullScreenDialog(props: FullScreenDialogProps) {
  const { children, onKeyDown, onClick, onClose, onReturnFocus, className } = props
  useLayer(onClose, true)
  return (
    <Radix.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Radix.Portal>
        <Radix.Content
          aria-describedby={undefined}
          onKeyDown={onKeyDown}
          onClick={onClick}
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            onReturnFocus()
          }}
          className={cn(
            'fixed inset-0 z-1000000000 bg-surface outline-none print:hidden',
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
