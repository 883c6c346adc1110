import { draftProduct } from '@bancone/contract/assistant'
import type { Serve } from '../../http/serve.ts'
import type { AssistantService } from './assistant.service.ts'

export function assistantRoutes(serve: Serve, assistant: AssistantService) {
  serve(draftProduct, ({ body }, { pharmacy }, { signal }) =>
    assistant.draft(pharmacy.id, body, signal),
  )
}
