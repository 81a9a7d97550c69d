;; In Emacs with the configuration of docs/everywhere.md, in the project's folder: waits for the server and its diagnostics,
;; and writes one line of JSON. HOTSPAN_AT names the line that they are about, as `src/a.js:23`.
(defun wait (what is-so)
  (with-timeout (60 (error "No %s" what))
    (while (not (funcall is-so)) (accept-process-output nil 0.05))))

(pcase-let ((`(,file ,line) (split-string (getenv "HOTSPAN_AT") ":")))
  (find-file file)
  ;; Emacs would do it before it waits for a key.
  (run-hooks 'post-command-hook)
  (wait "server" #'eglot-current-server)
  (wait "diagnostics" #'flymake-diagnostics)
  (goto-char (point-min))
  (forward-line (1- (string-to-number line)))
  (back-to-indentation)
  (let ((hover (jsonrpc-request (eglot-current-server) :textDocument/hover (eglot--TextDocumentPositionParams))))
    (princ (json-encode
            `((version . ,emacs-version)
              (diagnostics . ,(vconcat (mapcar #'flymake-diagnostic-text (flymake-diagnostics (line-beginning-position) (line-end-position)))))
              (hover . ,(plist-get (plist-get hover :contents) :value)))))))
