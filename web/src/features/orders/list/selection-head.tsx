import { ListChecks } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import type { SelectionState } from '../data/use-selection.ts'
import { SelectionBox } from './selection-box.tsx'

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
