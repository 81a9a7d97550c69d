// A file system with one folder and two files in it, which are on no disk.
const vscode = require('vscode');

const files = new Map([
  ['/virtual/shop.cpuprofile.gz', Buffer.from([0x1f, 0x8b, 0])],
  ['/virtual/shop.js', Buffer.from('exports.shop = () => 1;\n')],
]);

exports.activate = ({ subscriptions }) => {
  const never = new vscode.EventEmitter();
  const readonly = () => {
    throw vscode.FileSystemError.NoPermissions();
  };
  const provider = {
    onDidChangeFile: never.event,
    watch: () => never,
    stat({ path }) {
      const file = files.get(path);
      if (file !== undefined) return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: file.length };
      if (path === '/virtual' || path === '/') return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
      throw vscode.FileSystemError.FileNotFound(path);
    },
    readDirectory: () => [...files.keys()].map((path) => [path.slice('/virtual/'.length), vscode.FileType.File]),
    readFile: ({ path }) => files.get(path) ?? Buffer.alloc(0),
    writeFile: readonly,
    createDirectory: readonly,
    delete: readonly,
    rename: readonly,
  };
  subscriptions.push(vscode.workspace.registerFileSystemProvider('memfs', provider, { isReadonly: true }));
};
