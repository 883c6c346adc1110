import { ListChecks } from 'lucide-react'
import type { ChangeEvent } from 'react'
import { Button } from '../../../ui/button.tsx'
import { cn } from '../../../ui/class-names.ts'
import type { SelectionState } from '../data/use-selection.ts'

type SelectionBoxProps = {
  label: string
  /** Visible label, where the context does not provide one. */
  text?: string
  checked: boolean
  /** Indeterminate: only some of the orders are selected. */
  mixed?: boolean
  className?: string
  /** @param range the shift key was held down */
  onToggle: (range: boolean) => void
}

/** A checkbox with a target size for fingers. */
export function SelectionBox(props: SelectionBoxProps) {
  const { label, text, checked, mixed = false, className, onToggle } = props

  function toggle({ nativeEvent }: ChangeEvent) {
    onToggle(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
  }

  return (
    <label
      className={cn(
        'flex shrink-0 cursor-pointer items-center justify-center gap-2 print:hidden',
        text === undefined ? 'size-8 max-lg:size-11 pointer-coarse:size-11' : 'min-h-11 text-sm',
        className,
      )}
    >
      <input
        ref={(box) => {
          if (box) box.indeterminate = mixed
        }}
        type="checkbox"
        aria-label={label}
        checked={checked}
        onChange={toggle}
        // A click with the shift key would also select text.
        onMouseDown={(event) => (event.shiftKey ? event.preventDefault() : undefined)}
        className="size-4 shrink-0 cursor-pointer accent-accent max-lg:size-5 pointer-coarse:size-5"
      />
      {text === undefined ? null : <span aria-hidden>{text}</span>}
    </label>
  )
}

/** Checkbox that selects the whole page, above the table and the cards. */
export function PageSelectionBox({
  selection,
  text,
}: {
  selection: SelectionState
  text?: string
}) {
  return (
    <SelectionBox
      label="Seleziona tutti gli ordini di questa pagina"
      {...(text === undefined ? {} : { text })}
      checked={selection.ofPage === 'all'}
      mixed={selection.ofPage === 'some'}
      onToggle={selection.togglePage}
    />
  )
}

/** Toggles selection mode for cards, which have no checkboxes otherwise. */
export function SelectModeButton({ selection }: { selection: SelectionState }) {
  const { isSelecting, startSelecting, clear } = selection
  return (
    <Button
      aria-pressed={isSelecting}
      className="max-sm:w-11 max-sm:px-0 lg:hidden"
      onClick={isSelecting ? clear : startSelecting}
    >
      <ListChecks aria-hidden />
      <span className="max-sm:sr-only">Seleziona</span>
    </Button>
  )
}
