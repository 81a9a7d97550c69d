// A debugger of a language that runs nothing: its sessions begin, and end when they are told to.
const vscode = require('vscode');

exports.activate = ({ subscriptions }) => {
  const createDebugAdapterDescriptor = () => new vscode.DebugAdapterInlineImplementation(adapter());
  subscriptions.push(vscode.debug.registerDebugAdapterDescriptorFactory('other', { createDebugAdapterDescriptor }));
};

function adapter() {
  const sent = new vscode.EventEmitter();
  const event = (name) => sent.fire({ type: 'event', seq: 0, event: name });
  return {
    onDidSendMessage: sent.event,
    handleMessage: ({ seq, command }) => {
      const body = command === 'threads' ? { threads: [] } : {};
      sent.fire({ type: 'response', seq: 0, request_seq: seq, success: true, command, body });
      if (command === 'initialize') event('initialized');
      if (command === 'disconnect') event('terminated');
    },
    dispose: () => sent.dispose(),
  };
}
