import * as Dialog from '@radix-ui/react-dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLayer } from '../lib/layers.ts'
import type { ModalProps } from '../lib/use-opened.ts'
import { cn } from './class-names.ts'
import { keepForToasts } from './toast.ts'

type SheetProps = ModalProps & {
  title: string
  /** Accessible name of the close button. */
  closeLabel?: string
  /** Buttons beside the close button. */
  actions?: ReactNode
  children: ReactNode
  footer: ReactNode
  /** It is opened by a history entry of its own, of `useOverlayEntry` for example, and needs no other. */
  hasEntry?: boolean
}

/** A modal panel at the right edge, with the list still in view; the full screen on a phone. */
export function Sheet(props: SheetProps) {
  const { title, closeLabel = 'Chiudi il dettaglio', actions, children, footer } = props
  const { onClose, onReturnFocus, hasEntry = false } = props
  useLayer(onClose, !hasEntry)
  return (
    <Dialog.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-fade-in bg-scrim print:hidden" />
        <Dialog.Content
          data-sheet
          onInteractOutside={keepForToasts}
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            onReturnFocus()
          }}
          className={cn(
            'fixed inset-0 z-50 flex animate-sheet-in flex-col bg-surface shadow-float outline-none',
            'md:inset-y-2 md:right-2 md:left-auto md:w-[26.5rem] md:rounded-card md:border md:border-line',
            'print:static print:block print:w-auto print:border-0 print:shadow-none',
          )}
        >
          <header className="flex items-center justify-between gap-3 border-b border-line py-2.5 pr-2.5 pl-5">
            <Dialog.Title className="flex-1 text-base font-medium">{title}</Dialog.Title>
            {actions}
            <Dialog.Close
              aria-label={closeLabel}
              className="grid size-11 place-items-center rounded-control text-muted hover:bg-sunken hover:text-ink md:size-9 pointer-coarse:size-11 print:hidden"
            >
              <X aria-hidden className="size-4.5" />
            </Dialog.Close>
          </header>
          <div className="flex-1 overflow-y-auto overscroll-contain px-5 py-4 print:overflow-visible">
            {children}
          </div>
          <footer className="flex gap-2 border-t border-line px-5 py-3 pb-[max(12px,env(safe-area-inset-bottom))] print:hidden">
            {footer}
          </footer>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
