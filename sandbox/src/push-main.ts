import { startPushService } from './push-service.ts'

/** The push service as a separate program, on a free port. Prints one line of JSON. */
const { url } = await startPushService()
process.stdout.write(`${JSON.stringify({ url })}\n`)
