// Command argocd holds the three Argo CD programs that apply manifests: the first argument, or the name it is called
// by, says which one runs.
//
// The repo server calls back: for a repository with a password, git asks a program named `argocd` on the PATH, with
// ARGOCD_BINARY_NAME=argocd-git-ask-pass in its environment. So this program is named `argocd` and answers that too.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/klog/v2"

	applicationcontroller "github.com/argoproj/argo-cd/v3/cmd/argocd-application-controller/commands"
	applicationsetcontroller "github.com/argoproj/argo-cd/v3/cmd/argocd-applicationset-controller/commands"
	gitaskpass "github.com/argoproj/argo-cd/v3/cmd/argocd-git-ask-pass/commands"
	reposerver "github.com/argoproj/argo-cd/v3/cmd/argocd-repo-server/commands"
	"github.com/argoproj/argo-cd/v3/util/log"
)

var parts = map[string]func() *cobra.Command{
	"application-controller":    applicationcontroller.NewCommand,
	"repo-server":               reposerver.NewCommand,
	"applicationset-controller": applicationsetcontroller.NewCommand,
}

func init() {
	// As in Argo CD's own main: client-go logs in the configured format and level.
	klog.SetLogger(log.NewLogrusLogger(log.NewWithCurrentConfig()))
}

func main() {
	if os.Getenv("ARGOCD_BINARY_NAME") == "argocd-git-ask-pass" {
		run(gitaskpass.NewCommand())
		return
	}
	if command, ok := parts[strings.TrimPrefix(filepath.Base(os.Args[0]), "argocd-")]; ok {
		run(command())
		return
	}
	if len(os.Args) > 1 {
		if command, ok := parts[os.Args[1]]; ok {
			// Each command reads os.Args itself and expects its own name in front.
			os.Args = append([]string{"argocd-" + os.Args[1]}, os.Args[2:]...)
			run(command())
			return
		}
	}
	fmt.Fprintln(os.Stderr, "usage: argocd application-controller|repo-server|applicationset-controller [flags]")
	os.Exit(2)
}

func run(command *cobra.Command) {
	if err := command.Execute(); err != nil {
		os.Exit(1)
	}
}
