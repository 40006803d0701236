export { DemoWorkspaceNote } from './demo-workspace-note.tsx';
export { SendTestTraces } from './send-test-traces.tsx';
