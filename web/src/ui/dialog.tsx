import * as Radix from '@radix-ui/react-dialog'
import type { ReactNode } from 'react'
import { useLayer } from '../lib/layers.ts'
import type { ModalProps } from '../lib/use-opened.ts'
import { cn } from './class-names.ts'
import { keepForToasts } from './toast.ts'

type DialogProps = ModalProps & {
  title: string
  /** A description of a sentence or two, read out when the dialog opens. */
  text?: ReactNode
  children?: ReactNode
  /** The buttons. The first focusable element of the dialog gets the focus. */
  footer: ReactNode
  /** It is opened by a history entry of its own, of `useOverlayEntry` for example, and needs no other. */
  hasEntry?: boolean
}

/** A small modal dialog for one question or text: centred, or at the bottom edge on a phone. */
export function Dialog({ title, text, children, footer, ...props }: DialogProps) {
  const { onClose, onReturnFocus, hasEntry = false } = props
  useLayer(onClose, !hasEntry)
  return (
    <Radix.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 animate-fade-in bg-scrim print:hidden" />
        <Radix.Content
          onInteractOutside={keepForToasts}
          {...(text === undefined ? { 'aria-describedby': undefined } : {})}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            onReturnFocus()
          }}
          className={cn(
            'fixed inset-x-3 bottom-[max(12px,env(safe-area-inset-bottom))] z-50 mx-auto flex max-h-[85dvh] max-w-md',
            'animate-fade-in flex-col rounded-card border border-line bg-surface shadow-float outline-none',
            'sm:top-1/2 sm:bottom-auto sm:-translate-y-1/2',
          )}
        >
          <Radix.Title className="px-5 pt-4 text-base font-medium">{title}</Radix.Title>
          <div className="flex flex-col gap-3 overflow-y-auto overscroll-contain px-5 py-3">
            {text === undefined ? null : <Radix.Description>{text}</Radix.Description>}
            {children}
          </div>
          <footer className="flex flex-wrap justify-end gap-2 px-5 pt-1 pb-4 max-sm:*:flex-1">
            {footer}
          </footer>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
